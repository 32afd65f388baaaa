#!/usr/bin/env bash
# gate on several wheels: all are judged before one is stamped, and one that does not hold keeps all from it.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
make_three() {
  mkdir -p dist/sub
  made_wheel dist a 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=a/_C.so
  made_wheel dist/sub b 1.0 cp312-cp312-linux_x86_64 "$1=b/_C.so"
  made_wheel dist c 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=c/_C.so
  wheels=(dist/a-*.whl dist/c-*.whl dist/sub/b-*.whl)
}
ask=(--arch-list "8.0;9.0" --witness native --json result.json)
not_one() {
  expect_unchanged
  expect_no_file 'dist/*.json' 'dist/sub/*.json'
}

make_three ext_narrow_b.so
remember "${wheels[@]}"
expect_exit 1 gate "${ask[@]}" dist
not_one
check_json result.json 'd["verdict"] == "mismatch"' '[r["verdict"] for r in d["results"]] == ["match", "match", "mismatch"]' \
  'all(r["stamped"] is None and r["entry"] is None for r in d["results"])'

make_three ext_no_ptx.so
edit_wheel dist/sub/b-*.whl <<<'members["other-1.0.dist-info/METADATA"] = [zipfile.ZipInfo("x"), b""]'
remember "${wheels[@]}"
expect_exit 1 gate "${ask[@]}" dist
not_one
check_json result.json 'd["verdict"] == "refused"' '[r["verdict"] for r in d["results"]] == ["match", "match", "refused"]'

# An unreadable one outweighs all findings.
truncate -s -5 dist/sub/b-*.whl
remember "${wheels[@]}"
expect_exit 3 gate "${ask[@]}" dist
not_one
check_json result.json 'd["verdict"] == "unchecked" and len(d["results"]) == 2 and len(d["errors"]) == 1'
expect_exit 3 gate "${ask[@]}" dist/a-*.whl missing.whl
not_one

make_three ext_no_ptx.so
expect_exit 0 gate "${ask[@]}" dist
for file in "${wheels[@]}"; do
  is_stamped "$file" || fail "$file is not stamped"
  [ -f "$file.ledger.json" ] || fail "no entry of $file"
done
check_json result.json 'd["verdict"] == "match"' 'all(r["stamped"]["changed"] for r in d["results"])' \
  '[r["entry"] for r in d["results"]] == [r["file"] + ".ledger.json" for r in d["results"]]'

# A statement is about one wheel.
remember "${wheels[@]}"
expect_exit 2 gate "${ask[@]}" --statement statement.json dist
expect_unchanged
expect_no_file statement.json

# The same wheel, named twice, is one.
make_three ext_no_ptx.so
expect_exit 0 gate "${ask[@]}" dist/a-*.whl ./dist/a-*.whl
