#!/usr/bin/env bash
# A farm of 11,303 cells with 7,000 recorded wheels: what a new epoch, an edited row, or both of them rebuild.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
flat_farm
matrix_of before.json
names_of before.json entries 7000 >names
cells=$(wc -l <names)
record entries

plan() { # plan EXIT OPTION...: and the counts that it comes to
  expect_exit "$1" plan --farm farm --json plan.json --output rebuild.json "${@:2}"
}
counts() { # counts EXPRESSION...
  check_json plan.json "${@}"
}
[ "$cells" -gt 10000 ] || fail "only $cells cells"
missing=$((cells - 7000))

# Nothing edited: nothing to rebuild, only to build.
plan 0 --check
counts "d['counts'] == {'missing': $missing, 'stale': 0, 'current': 7000, 'drifted': 0, 'replaced': 0, 'orphan': 0, 'rebuild': $missing, 'carry': 0}"

# A new epoch alone.
set_epoch 2
plan 0 --check
counts "d['counts'] == {'missing': $missing, 'stale': 7000, 'current': 0, 'drifted': 0, 'replaced': 0, 'orphan': 0, 'rebuild': $cells, 'carry': 0}"
head -1 out >headline
expect_same headline "headline" <<<"$cells cells: $missing missing, 7000 stale, 0 current, 0 drifted, 0 replaced, 0 orphan; $cells to rebuild"

# The row of CUDA 12.8 edited, with a new epoch: of the recorded ones, those whose resolved list moved are rebuilt. Which
# those are is seen by the matrix before and after.
sed -i 's/^  "12.8": "7.0;7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX"$/  "12.8": "7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX"/' farm/packages/_arch_policy.yml
matrix_of after.json
python3 - <<'PYTHON' >wanted
import importlib.util, json, os, sys
sys.argv = ["", "before.json"]
def lists(path):
    found = {}
    for rows in json.load(open(path))["linux"], json.load(open(path))["windows"], json.load(open(path))["linux_aarch64"], \
            json.load(open(path))["linux_chain"], json.load(open(path))["windows_chain"]:
        for row in rows["include"]:
            found[row["exists_key"].split("@")[0]] = row["arch_list"]
    return found
before, after = lists("before.json"), lists("after.json")
assert before.keys() == after.keys()
recorded = {json.load(open(f"entries/{name}"))["exists_key"].split("@")[0] for name in os.listdir("entries")}
for key in sorted(recorded):
    if before[key] != after[key]:
        print(key)
PYTHON
moved=$(wc -l <wanted)
[ "$moved" -gt 100 ] && [ "$moved" -lt 3000 ] || fail "$moved cells moved"
before=$(git -C farm rev-parse wheel-ledger)
plan 0 --changed-only --dry-run
counts "d['counts'] == {'missing': $missing, 'stale': 7000, 'current': 0, 'drifted': 0, 'replaced': 0, 'orphan': 0, 'rebuild': $((missing + moved)), 'carry': $((7000 - moved))}" \
  "d.get('carried') is None"
[ "$(git -C farm rev-parse wheel-ledger)" = "$before" ] || fail "--dry-run wrote to the ledger"
plan 0 --changed-only
python3 - <<'PYTHON' >found
import json
cells = json.load(open("plan.json"))["cells"]
assert all(cell["rebuild"] != cell["carry"] for cell in cells)
keys = {row["exists_key"].split("@")[0] for rows in json.load(open("rebuild.json")).values() for row in rows["include"]}
stale = {json.load(open(f"entries/{n:06d}.ledger.json"))["exists_key"].split("@")[0] for n in range(7000)}
print("\n".join(sorted(keys & stale)))
PYTHON
expect_same found "what is rebuilt" <wanted
counts "d['carried']['wheels'] == 7000 - $moved"
[ "$(git -C farm rev-list --count wheel-ledger)" = 2 ] || fail "not one commit"

# Afterwards, the same again is what is left to do; nothing is carried twice.
plan 0 --changed-only
counts "d['counts']['stale'] == $moved and d['counts']['current'] == 7000 - $moved and d['counts']['carry'] == 0" "d.get('carried') is None"
[ "$(git -C farm rev-list --count wheel-ledger)" = 2 ] || fail "another commit"
# The matrix goes by the same ledger.
head -7000 names >assets
expect_exit 0 matrix --farm farm --existing assets --output again.json
cmp again.json rebuild.json || fail "matrix and plan do not agree"

# The row edited without a new epoch: drifted, each change once, and --check says so. Nothing that is there is rebuilt.
rm -rf farm/.git && git init -q farm
record entries
set_epoch 1
plan 1 --check
counts "d['counts'] == {'missing': $missing, 'stale': 0, 'current': 7000 - $moved, 'drifted': $moved, 'replaced': 0, 'orphan': 0, 'rebuild': $missing, 'carry': 0}"
grep '^error\[drifted\]' err >drifted
[ "$(wc -l <drifted)" = "$(python3 -c '
import json
print(len({(c["package"], c["recorded"], c["resolved"], c["source"]) for c in json.load(open("plan.json"))["cells"] if c["state"] == "drifted"}))')" ] ||
  { cat drifted >&2; fail "not one finding for each change"; }
grep -q "at the current epoch with 7.0;7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX, but arch_policy\['12.8'\] in farm/packages/_arch_policy.yml:[0-9]* says 7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX$" drifted ||
  { cat drifted >&2; fail "which change?"; }
plan 0
