#!/usr/bin/env bash
# key: the exists-check key of a matrix row, and whether its wheel is there.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
small_farm
set_epoch 1
sed -i '/^build_epoch/d' farm/packages/example_attn.yml
row() { # row PACKAGE CUDA TORCH PYTHON PLATFORM [MORE]
  echo '{"package": "'"$1"'", "cuda": "'"$2"'", "pytorch": "'"$3"'", "python": "'"$4"'", "platform": "'"$5"'"'"${6:-}"'}' >row.json
}
attn() { row example-attn 12.8 2.8.0 "${1:-3.12}" "${2:-linux}" ', "version": "2.8.3", "arch_list": "whatever", "mine": 1'; }
sha() { printf %s "$1" | sha256sum | cut -d' ' -f1; }

attn
text=example_attn-2.8.3+cu128torch2.8-cp312-linux@epoch1
expect_exit 0 key --farm farm --cell row.json --key-only
expect_output <<EOT2
$text
  sha256    $(sha $text)
EOT2
expect_exit 0 key --farm farm --cell row.json --existing nothing --json key.json
expect_output <<EOT2
$text
  sha256    $(sha $text)
  exists    no: no asset is its wheel
EOT2
check_json key.json 'd == {"schema": 1, "key": "'$text'", "sha256": "'"$(sha $text)"'", "build_epoch": 1, "package_epoch": 0, "exists": False, "state": "missing", "asset": None, "asset_epoch": None, "asset_package_epoch": None}'
asset=example_attn-2.8.3+cu128torch28-cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
echo $asset >assets
expect_exit 0 key --farm farm --cell row.json --existing assets --json -
check_json out 'd["exists"] is True and d["asset"] == "'$asset'" and d["asset_epoch"] == 1'
expect_exit 0 key --farm farm --cell row.json --existing assets
expect_output <<EOT2
$text
  sha256    $(sha $text)
  exists    yes: $asset, at epoch 1
EOT2
# From standard input, without a version, without torch.
row example_cpu 13.0 2.9.1 3.13 windows
"$WHEELARCH" key --farm farm --cell - --key-only <row.json >out 2>err || fail "standard input"
expect_line out "example_cpu-*+cu130torch*-cp313-windows@epoch1"
echo 'example_cpu-7.7+cu130torch2.1-py3-none-win_amd64.whl' >assets
expect_exit 0 key --farm farm --cell row.json --existing assets
grep -q '^  exists    yes: ' out || { cat out >&2; fail "torch-free"; }
# Near misses: not the Python, not the platform, not the version, not the CUDA, not the torch, not a wheel.
attn
printf '%s\n' example_attn-2.8.3+cu128torch2.8-cp311-cp311-linux_x86_64.whl example_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_aarch64.whl \
  example_attn-2.8.3+cu128torch2.8-cp312-cp312-win_amd64.whl example_attn-2.8.4+cu128torch2.8-cp312-cp312-linux_x86_64.whl \
  example_attn-2.8.3+cu126torch2.8-cp312-cp312-linux_x86_64.whl example_attn-2.8.3+cu128torch2.9-cp312-cp312-linux_x86_64.whl \
  example_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl.sha256 example_attn-2.8.3-cp312-cp312-linux_x86_64.whl >assets
expect_exit 0 key --farm farm --cell row.json --existing assets
expect_line out "  exists    no: no asset is its wheel"

refused() { # refused EXIT ROW <WANTED
  printf '%s' "$2" >row.json
  expect_exit "$1" key --farm farm --cell row.json --existing nothing --json bad.json
  expect_error
  expect_no_file bad.json
  expect_harmless err
}
whole="    fix: give one row of the workflow's matrix as it is"
refused 2 '[]' <<EOT2
error: --cell row.json: it is no JSON object
$whole
EOT2
refused 2 '{"package": "x"' <<EOT2
error: --cell row.json: it is no JSON object
$whole
EOT2
refused 2 '{"package": "example_attn", "cuda": "12.8"}' <<EOT2
error: --cell row.json: the cell has no pytorch
$whole
EOT2
refused 2 '{"package": "../x", "cuda": "12.8", "pytorch": "2.8.0", "python": "3.12", "platform": "linux"}' <<EOT2
error: --cell row.json: the cell's package is "../x", a package's name is expected
$whole
EOT2
refused 2 '{"package": "example_attn", "cuda": "12.8\n::error::", "pytorch": "2.8.0", "python": "3.12", "platform": "linux"}' <<EOT2
error: --cell row.json: the cell's cuda is "12.8\n::error::", a version such as 12.8 is expected
$whole
EOT2
refused 2 '{"package": "example_atn", "cuda": "12.8", "pytorch": "2.8.0", "python": "3.12", "platform": "linux"}' <<EOT2
error: the farm farm has no package "example_atn"
    fix: did you mean example_attn?
EOT2
attn
expect_exit 3 key --farm farm --cell missing.json
expect_exit 2 key --farm missing --cell row.json
expect_exit 2 key --farm farm
