#!/usr/bin/env bash
# plan: the five states of a cell, and what each of them comes to.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm # 21 cells, of example_attn 8, example_cpu 9, example_rows 4
plan() { # plan EXIT OPTION...
  rm -f plan.json rebuild*.json
  expect_exit "$1" plan --farm farm --json plan.json --output rebuild.json "${@:2}"
}
counts() { # counts MISSING STALE CURRENT DRIFTED ORPHAN REBUILD CARRY
  check_json plan.json "[n for state, n in d['counts'].items() if state != 'replaced'] == [$(echo "$*" | tr ' ' ,)]"
}
cell() { check_json plan.json "[{key: c[key] for key in ($2)} for c in d['cells'] if c['wheel'] == '$1'] == [$2]"; } # cell WHEEL PYTHON

# No ledger: everything is missing, which is said.
plan 0
counts 21 0 0 0 0 21 0
expect_said <<'EOT2'
warning[no-ledger] there is no ledger: no branch wheel-ledger
    fix: every wheel counts as of epoch 1 and with an unknown list; name it with --branch and --remote if there is one
EOT2
check_json plan.json 'd["jobs"] == 29 and "carried" not in d'
cmp rebuild.json all.json || fail "all of it is to be built"

# All recorded, nothing edited: nothing to do.
record entries
plan 0 --check
counts 0 0 21 0 0 0 0
expect_quiet
expect_output_text() { expect_same out "standard output"; }
expect_output_text <<'EOT2'
21 cells: 0 missing, 0 stale, 21 current, 0 drifted, 0 replaced, 0 orphan; nothing to rebuild

  package                           missing    stale  current  drifted replaced   orphan  rebuild    carry
  example_attn                            0        0        8        0        0        0        0        0
  example_cpu                             0        0        9        0        0        0        0        0
  example_rows                            0        0        4        0        0        0        0        0

  the version is not known, and any version of the wheel counts: example_cpu
  the releases were not looked at: --gh or --existing tells whether the wheels are there
  nothing is rebuilt of example_attn, example_cpu, example_rows
nothing to build
EOT2
check_rows rebuild.json 'rows == []'
check_json plan.json 'd["jobs"] == 0 and d["pages"] == 0'

# The same list in other words is no change.
sed -i "s/'12.8': 8.0 9.0  12.0/'12.8': \"12.0;9.0;8.0\"/" farm/packages/example_attn.yml
plan 0 --check
counts 0 0 21 0 0 0 0

# A list changed without a new epoch: drifted, and nothing is rebuilt. --check finds it.
sed -i "s/'12.8': \"12.0;9.0;8.0\"/'12.8': \"8.0;9.0;10.0;12.0\"/" farm/packages/example_attn.yml
plan 0
counts 0 0 19 2 0 0 0
expect_quiet
plan 1 --check
expect_said <<'EOT2'
error[drifted] example_attn: 2 wheels are recorded at the current epoch with 8.0 9.0 12.0+PTX, but arch_list_by_cuda['12.8'] in farm/packages/example_attn.yml:6 says 8.0;9.0;10.0;12.0+PTX
    fix: raise build_epoch so that they are rebuilt, or take the change back
EOT2
cell example_attn-2.8.3+cu128torch2.7-cp312-cp312-manylinux_2_28_x86_64.whl '{"state": "drifted", "package": "example_attn",
  "version": "2.8.3", "cuda": "12.8", "pytorch": "2.7.1", "python": "3.12", "platform": "linux",
  "wheel": "example_attn-2.8.3+cu128torch2.7-cp312-cp312-manylinux_2_28_x86_64.whl", "recorded": "8.0 9.0 12.0+PTX",
  "resolved": "8.0;9.0;10.0;12.0+PTX", "source": "arch_list_by_cuda['"'12.8'"'] in farm/packages/example_attn.yml:6",
  "epoch": 1, "current_epoch": 1, "rebuild": False, "carry": False}'
grep -qF '         2 drifted  the list moved without a new epoch: 8.0 9.0 12.0+PTX → 8.0;9.0;10.0;12.0+PTX, by arch_list_by_cuda' out || { cat out >&2; fail "why?"; }
# Two packages, two changes: two findings. With a filter, only what it takes.
sed -i 's/arch_list: "10.0a"/arch_list: "10.0"/' farm/packages/example_rows.yml
plan 1 --check
[ "$(said | grep -c '^error\[drifted\] ')" = 2 ] || { said >&2; fail "two changes"; }
plan 1 --check --package example_rows
counts 0 0 2 2 0 0 0
[ "$(said | grep -c '^error\[drifted\] ')" = 1 ] || { said >&2; fail "one change"; }
plan 0 --check --package example_cpu
counts 0 0 9 0 0 0 0

# The bump: the changed ones are rebuilt, and their shards; the others are carried forward in one commit.
set_epoch 2
plan 0 --check
counts 0 21 0 0 0 21 0
before=$(git -C farm rev-parse wheel-ledger)
plan 0 --changed-only --dry-run
counts 0 21 0 0 0 4 17
[ "$(git -C farm rev-parse wheel-ledger)" = "$before" ] || fail "--dry-run wrote"
grep -qx '.*; 4 to rebuild, 17 carried forward' out || { cat out >&2; fail "headline"; }
plan 0 --changed-only --package example_attn
counts 0 8 0 0 0 2 6
commit=$(git -C farm rev-parse wheel-ledger)
grep -qx "carried 6 wheels forward in wheel-ledger, commit $commit" out || { cat out >&2; fail "carried"; }
check_json plan.json "d['carried'] == {'wheels': 6, 'commit': '$commit'}"
plan 0 --changed-only
counts 0 15 6 0 0 4 11
check_rows rebuild.json 'len(rows) == 2 + 2 * (2 + 1)' 'len(keys) == 4' 'all("cu128" in key and key.endswith("@epoch2") for key in keys)'
[ "$(git -C farm rev-list --count wheel-ledger)" = 3 ] || fail "one commit each"
git -C farm show wheel-ledger:example_cpu/example_cpu-1.0+cu126torch2.6-cp312-cp312-win_amd64.whl.json >entry.json
check_json entry.json 'd["build_epoch"] == 1 and d["valid_for_epoch"] == {"farm": 2, "package": 0}'
git -C farm show wheel-ledger:example_rows/example_rows-1.0+cu128torch2.8-cp312-cp312-win_amd64.whl.json >entry.json
check_json entry.json 'd["build_epoch"] == 1 and "valid_for_epoch" not in d'
expect_exit 0 ledger list --farm farm --json list.json
plan 0 --changed-only
counts 0 4 17 0 0 4 0
# The matrix of all assets has the same rows.
expect_exit 0 matrix --farm farm --existing names --output again.json
cmp again.json rebuild.json || fail "matrix and plan do not agree"
# They are built: nothing is left.
matrix_of all.json
names_of all.json rebuilt >/dev/null
expect_exit 0 ledger collect rebuilt --farm farm --replace
plan 0 --check --changed-only
counts 0 0 21 0 0 0 0

# What is no longer in the grid is an orphan; what is new in it is missing.
sed -i 's/platforms: \["linux", "linux_aarch64"\]/platforms: ["linux", "windows"]/' farm/packages/example_attn.yml
plan 0
counts 3 0 17 0 4 3 0
cell example_attn-2.8.3+cu130torch2.9-cp313-cp313-manylinux_2_28_aarch64.whl '{"state": "orphan", "package": "example_attn",
  "version": None, "cuda": None, "pytorch": None, "python": None, "platform": None,
  "wheel": "example_attn-2.8.3+cu130torch2.9-cp313-cp313-manylinux_2_28_aarch64.whl", "recorded": "9.0;11.0", "resolved": None,
  "source": None, "epoch": 2, "current_epoch": None, "rebuild": False, "carry": False}'
check_json plan.json 'd["packages"]["example_attn"]["orphan"] == 4' 'd["packages"]["example_attn"]["missing"] == 3'
rm farm/packages/example_rows.yml
plan 0
counts 3 0 13 0 8 3 0
check_json plan.json 'd["packages"]["example_rows"]["orphan"] == 4'
plan 0 --platform linux # orphans are of no platform
counts 0 0 9 0 0 0 0
