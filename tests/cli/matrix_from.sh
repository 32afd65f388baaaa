#!/usr/bin/env bash
# matrix --from: a workflow's own matrix, in any of its shapes, keeps what it has and gets the epoch and the key.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
small_farm
row() { # row JSON_MEMBERS: a row of the small farm
  echo '{"package": "example-attn", "version": "2.8.3", "cuda": "12.8", "pytorch": "2.7.1", "python": "3.12", "platform": "linux"'"$1"'}'
}
first=$(row ', "arch_list": "1.2.3", "runner": ["self-hosted", {"a": null}], "é": "😀\u0000", "n": 12345678901234567890, "x": 1.5e-3')
second=$(row ', "python": "3.13"' | sed 's/"python": "3.12", //')
printf '%s' "{\"linux\": {\"include\": [$first, $second]}, \"mine\": {\"include\": []}}" >lists.json
printf '%s' "{\"include\": [$first, $second]}" >include.json
printf '%s' "[$first, $second]" >array.json
for shape in lists include array; do
  expect_exit 0 matrix --farm farm --all --from $shape.json --output $shape.new
  python3 - $shape <<'PYTHON' || fail "$shape"
import json, sys
shape = sys.argv[1]
before, after = json.load(open(f"{shape}.json")), json.load(open(f"{shape}.new"))
def rows(matrix):
    return matrix if shape == "array" else matrix["include"] if shape == "include" else matrix["linux"]["include"]
for row, python in zip(rows(before), ("312", "313")):
    row |= {"build_epoch": 2, "package_epoch": 3,
            "exists_key": f"example_attn-2.8.3+cu128torch2.7-cp{python}-linux@epoch2+pkg3"}
if before != after:
    sys.exit(f"wanted {before}\nfound {after}")
PYTHON
  [ "$(wc -l <$shape.new)" = 1 ] || fail "not on one line"
done
# From standard input; what a row said of its epoch before is replaced.
code=0
"$WHEELARCH" matrix --farm farm --all --from - --output again.json <lists.new >out 2>err || code=$?
[ "$code" = 0 ] && cmp again.json lists.new || { cat err >&2; fail "again"; }
sed 's/"build_epoch":2,"package_epoch":3/"build_epoch":1,"package_epoch":0/; s/@epoch2+pkg3/@epoch1/' lists.new >old.json
expect_exit 0 matrix --farm farm --all --from old.json --output again.json
cmp again.json lists.new || fail "an old epoch stays"

# What exists goes, by the same rules.
echo example_attn-2.8.3+cu128torch2.7-cp312-cp312-linux_x86_64.whl >assets
sed -i '/^build_epoch/d' farm/packages/*.yml
expect_exit 0 matrix --farm farm --existing assets --from lists.json --output left.json --json result.json
check_rows left.json 'keys == ["example_attn-2.8.3+cu128torch2.7-cp313-linux@epoch1"]' 'list(d) == ["linux", "mine"]'
check_json result.json 'd["existing"] == 1 and d["jobs"] == 1 and d["lists"] == {"linux": 1, "mine": 0}'

# Nothing in it: nothing to build, in its own shape.
for empty in '{}' '[]' '{"include":[]}' '{"linux":{"include":[]}}'; do
  echo "$empty" >empty.json
  expect_exit 0 matrix --farm farm --from empty.json
  expect_same out "standard output" <<<"$empty"
  said >said_now
  expect_same said_now "what is said" <<<"nothing to build"
done

refused() { # refused MATRIX <WANTED
  printf '%s' "$1" >bad.json
  rm -f left*.json
  expect_exit 2 matrix --farm farm --all --from bad.json --output left.json
  expect_said
  expect_no_file 'left*.json'
  expect_harmless out err
}
shapes='    fix: expected {"include": [...]}, a list of rows, or such for each platform: {"linux": {"include": [...]}}'
refused '' <<EOT2
error: --from bad.json: the matrix is no JSON, or cut short: incomplete JSON
$shapes
EOT2
refused "${first%?}" <<EOT2
error: --from bad.json: the matrix is no JSON, or cut short: incomplete JSON
$shapes
EOT2
refused '"x"' <<EOT2
error: --from bad.json: the matrix is no JSON object or list
$shapes
EOT2
refused "{\"linux\": [$first]}" <<EOT2
error: --from bad.json: 'linux' of the matrix holds something else than \`include\`
$shapes
EOT2
refused '{"linux": {"include": [], "exclude": []}}' <<EOT2
error: --from bad.json: 'linux' of the matrix holds something else than \`include\`
$shapes
EOT2
refused '{"include": {}}' <<EOT2
error: --from bad.json: \`include\` is no list of rows
$shapes
EOT2
refused '{"::error::\n": {"include": [1]}}' <<EOT2
error: --from bad.json → row 1 of : :error::\n: it is no JSON object
$shapes
EOT2
whole="    fix: give one row of the workflow's matrix as it is"
refused "[$second, $(row '' | sed 's/"12.8"/12.8/')]" <<EOT2
error: --from bad.json → row 2: the cell has no cuda that is text
$whole
EOT2
refused "[$(row '' | sed 's/"platform": "linux"/"platform": "macos"/')]" <<EOT2
error: --from bad.json → row 1: the cell's platform is "macos", linux, windows or linux_aarch64 is expected
$whole
EOT2
refused "[$(row '' | sed 's/"python": "3.12", //')]" <<EOT2
error: --from bad.json → row 1: the cell has no python
$whole
EOT2
refused "[$(row '' | sed 's/example-attn/example-atn/')]" <<'EOT2'
error: example_atn 2.8.3, CUDA 12.8, torch 2.7.1, Python 3.12, linux: the farm farm has no package "example_atn"
    fix: did you mean example_attn?
EOT2
expect_exit 3 matrix --farm farm --all --from missing.json
