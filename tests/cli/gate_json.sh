#!/usr/bin/env bash
# The result of `gate --json`: what `assert --json` has, of the wheel as it is now, and what was written.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
expect_exit 0 gate --arch-list "8.0;9.0" --witness native --json - $wheel
expect_empty err
sum=$(sha256sum <$wheel | cut -d' ' -f1)
size=$(stat -c %s $wheel)
check_json out 'd["schema"] == 1 and d["verdict"] == "match" and d["file"] == "'$wheel'" and d["errors"] == [] and d["findings"] == []' \
  'd["sha256"] == "'"$sum"'" and d["size"] == '"$size" \
  'd["stamped"] == {"sha256": "'"$sum"'", "size": '"$size"', "changed": True} and d["entry"] == "'$wheel'.ledger.json"' \
  'd["requested"]["sass"] == d["observed"]["sass"] == ["sm_80", "sm_90"] and len(d["members"]) == 1'
expect_exit 0 gate --arch-list "8.0;9.0" --witness native --json result.json $wheel
check_json result.json 'd["stamped"] == {"sha256": "'"$sum"'", "size": '"$size"', "changed": False}'

# stamp has its own.
expect_exit 0 stamp --witness native --json - $wheel
check_json out 'd["schema"] == 1 and d["errors"] == [] and [r["file"] for r in d["results"]] == ["'$wheel'"]' \
  'd["results"][0]["findings"] == [] and d["results"][0]["stamped"]["changed"] is True' \
  'd["results"][0]["stamped"]["sha256"] == "'"$(sha256sum <$wheel | cut -d' ' -f1)"'"'

# No result is written over a wheel or its entry.
remember $wheel
for file in $wheel ./$wheel $wheel.ledger.json; do
  expect_exit 2 gate --arch-list "8.0;9.0" --witness native --json "$file" $wheel
  expect_exit 2 gate --arch-list "8.0;9.0" --witness native --statement "$file" $wheel
done
expect_unchanged
