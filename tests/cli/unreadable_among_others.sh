#!/usr/bin/env bash
# Of three wheels one cannot be read: the run is exit 3, and the others are reported all the same.
. "$(dirname "$0")/lib.sh"
need_fixtures
good="good-1.0-cp312-cp312-linux_x86_64.whl"
bad="bad-1.0-cp312-cp312-linux_x86_64.whl"
wheel_named $good ext_no_ptx.so=pkg/_C.so
wheel_named $wheel ext_90a.so=pkg/_C.so
echo text >$bad

expect_exit 3 assert --arch-list "8.0;9.0" --witness native --json all.json $good $bad $wheel
expect_line out "$good: match"
expect_line out "$wheel: MISMATCH"
expect_same err "standard error" <<EOT
error: $bad: no end of central directory record: not a zip archive, or its end is missing
    fix: the file is cut short or damaged: build or download it again
EOT
check_json all.json \
  'd["verdict"] == "unchecked"' \
  '[(r["file"].split("-")[0], r["verdict"]) for r in d["results"]] == [("good", "match"), ("pkg", "mismatch")]' \
  '[e["file"].split("-")[0] for e in d["errors"]] == ["bad"] and d["errors"][0]["message"] and d["errors"][0]["fix"]'

# A wheel that could not be read never leaves `match` as the whole verdict.
expect_exit 3 assert --arch-list "8.0;9.0" --witness native --json two.json $good $bad
check_json two.json 'd["verdict"] == "unchecked"' '[r["verdict"] for r in d["results"]] == ["match"]' 'len(d["errors"]) == 1'
expect_exit 3 assert --arch-list "8.0;9.0" --witness native --json one.json $bad
check_json one.json 'd["verdict"] == "unchecked"' 'len(d["errors"]) == 1'

# All readable: one wrong wheel makes it exit 1.
expect_exit 1 assert --arch-list "8.0;9.0" --witness native --json all.json $good $wheel
check_json all.json 'd["verdict"] == "mismatch"' 'd["errors"] == []' '[r["verdict"] for r in d["results"]] == ["match", "mismatch"]'
expect_exit 3 inspect --witness native --json files.json $good $bad
check_json files.json 'len(d["files"]) == 1' 'len(d["errors"]) == 1'
