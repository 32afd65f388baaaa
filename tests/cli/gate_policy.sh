#!/usr/bin/env bash
# gate with a farm: the list, the epoch and the key that are stamped and recorded are the policy's; a row of another
# policy is refused before anything is written. What it records, plan and key go by.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
need_fixtures
need unzip
mkdir -p farm/packages
git init -q farm
cat >farm/packages/_defaults.yml <<'YAML'
build_epoch: 2
platforms: [linux]
combinations:
  - {cuda: "13.0", pytorch: "2.9.0", python_versions: ["3.12"]}
arch_policy:
  "13.0": "8.0;9.0+PTX"
YAML
printf 'name: example-pkg\nsource_repo: example-org/pkg\nsource_tag: v1\nversion: "1.0"\nexpect_archs: "8.0;9.0"\n' >farm/packages/example-pkg.yml
name=example_pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl
made() { rm -f ./*.ledger.json; made_wheel . example_pkg 1.0+cu130torch2.9 cp312-cp312-linux_x86_64 "${1:-ext_no_ptx.so}=pkg/_C.so"; }
matrix_of all.json
row() { python3 -c 'import json, sys; row = json.load(open("all.json"))["linux"]["include"][0]; exec(sys.argv[1]); print(json.dumps(row))' "${1:-}" >row.json; }

made
row
expect_exit 0 gate --witness native --farm farm --cell row.json $name
check_json $name.ledger.json 'd["arch_list"] == "8.0;9.0+PTX"' 'd["archs"] == {"sass": ["sm_80", "sm_90"], "ptx": []}' \
  'd["build_epoch"] == 2' 'd["exists_key"] == "example_pkg-1.0+cu130torch2.9-cp312-linux@epoch2"' 'len(d["defaults_sha256"]) == 64'
stamp_of $name >stamp.json
check_json stamp.json 'd["build_epoch"] == 2 and d["exists_key"].endswith("@epoch2")'

# It is recorded: the wheel exists at the epoch, and nothing is left to do, until the next.
record .
echo $name >assets
expect_exit 0 key --farm farm --cell row.json --existing assets --json key.json
check_json key.json 'd["exists"] is True and d["asset_epoch"] == 2'
expect_exit 0 plan --farm farm --check --json plan.json
check_json plan.json 'd["counts"]["current"] == 1 and d["counts"]["rebuild"] == 0'
set_epoch 3
expect_exit 0 plan --farm farm --json plan.json
check_json plan.json 'd["counts"]["stale"] == 1 and d["counts"]["rebuild"] == 1'

refused() { # refused EXIT RULE: of the row at hand, with nothing written
  made "${3:-}"
  remember $name
  expect_exit "$1" gate --witness native --farm farm --cell row.json $name
  grep -q "^error\[$2\]" out || { cat out err >&2; fail "not $2"; }
  expect_unchanged
  expect_no_file '*.ledger.json'
}
refused 1 row-epoch # the matrix was made before the bump
matrix_of all.json
row 'row["arch_list"] = "8.0"'
refused 1 row-arch-list
row 'row["python"] = "3.11"'
refused 1 cell-mismatch
row
refused 1 extra-arch compress_size.so
sed -i '/^arch_policy:/,$d' farm/packages/_defaults.yml
printf 'arch_policy:\n  "13.0": "8.0;9.0;12.0"\n' >>farm/packages/_defaults.yml
refused 1 row-arch-list # the policy was edited after the matrix was made
printf 'arch_policy\n' >>farm/packages/_defaults.yml
made
remember $name
expect_exit 2 gate --witness native --farm farm --cell row.json $name
grep -qE '^error: farm/packages/_defaults\.yml:[0-9]+:[0-9]+: ' err || { cat err >&2; fail "broken YAML: where?"; }
expect_unchanged
