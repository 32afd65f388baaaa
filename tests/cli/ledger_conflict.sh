#!/usr/bin/env bash
# A different record of a wheel is refused; with --replace it takes the place of the old one, which stays in the history.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 2
git init -q .
name=pkg00-1.0+cu128torch2.8-cp312-cp312-linux_x86_64.whl
entry=entries/000000-$name.ledger.json
expect_exit 0 ledger record $entry
before=$(git rev-parse wheel-ledger)
old=$(sed -nE 's/.*"filename".*"sha256": "([0-9a-f]{64})".*/\1/p' $entry)
new=${old//[0-7]/8}
rebuilt() { sed "s/$old/$new/; s/\"build_epoch\": 1/\"build_epoch\": ${1:-2}/; s/@epoch1/@epoch${1:-2}/" entries/000000-*; }
rebuilt >rebuilt.json

export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md
expect_exit 1 ledger record rebuilt.json entries/000001-* --json result.json
expect_same <(without_annotations err) "standard error" <<EOT
error[already-recorded] $name: the ledger holds another record of this wheel, pkg00/$name.json, which differs in build_epoch, exists_key, wheel (that has sha256 $old, this one $new)
    fix: if this wheel takes the place of the recorded one (a rebuild), record it with --replace; if not, find out which of the two was published
EOT
grep -q '^recorded 1 wheel in wheel-ledger, commit ' out || { cat out >&2; fail "the good one is not recorded"; }
[ "$(annotations | wc -l)" = 1 ] || fail "no annotation"
grep -q already-recorded summary.md || fail "nothing in the job summary"
[ "$(git rev-parse wheel-ledger~)" = "$before" ] || fail "not one commit"
git diff --quiet "$before" wheel-ledger -- "pkg00/$name.json" || fail "the refused record was written"
check_json result.json 'd["added"] == 1 and [f["rule"] for f in d["findings"]] == ["already-recorded"]'
unset GITHUB_ACTIONS

expect_exit 0 ledger record --replace rebuilt.json entries/000001-* --json result.json
check_json result.json 'd["unchanged"] == 1 and d["replaced"] == 1 and d["findings"] == []'
expect_exit 0 ledger show $name
expect_line out "  epoch      2"
expect_line out "  replaced   2026-01-31T12:00:00Z epoch 1, 8.0;9.0;10.0;12.0+PTX, sha256 ${old:0:12}"
expect_exit 0 ledger show $name --json -
check_json out 'd["entry"]["build_epoch"] == 2 and [h["build_epoch"] for h in d["entry"]["history"]] == [1]'
git show "wheel-ledger:pkg00/$name.json" >stored.json
expect_schema ledger-entry.schema.json stored.json

# Once more, and again the same: the history grows by what changed.
rebuilt 3 >third.json
expect_exit 0 ledger record --replace third.json
tip=$(git rev-parse wheel-ledger)
expect_exit 0 ledger record --replace third.json
expect_exit 0 ledger record third.json
[ "$(git rev-parse wheel-ledger)" = "$tip" ] || fail "recording again made a commit"
expect_exit 0 ledger show $name --json -
check_json out '[h["build_epoch"] for h in d["entry"]["history"]] == [2, 1]'

# Another spelling of a name is the same wheel: of the order of its tags, or of its version.
sed 's/linux_x86_64.whl"/manylinux2014_x86_64.manylinux_2_17_x86_64.whl"/' entries/000000-* >swap.json
expect_exit 0 ledger record swap.json
sed 's/manylinux2014_x86_64.manylinux_2_17_x86_64/manylinux_2_17_x86_64.manylinux2014_x86_64/; s/+cu128torch/+CU128torch/' swap.json >other.json
swapped=pkg00-1.0+CU128torch2.8-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
expect_exit 0 ledger show $swapped
head -n 1 out | grep -qxF "pkg00-1.0+cu128torch2.8-cp312-cp312-manylinux2014_x86_64.manylinux_2_17_x86_64.whl" || { cat out >&2; fail "another spelling is not found"; }
expect_exit 1 ledger record other.json
expect_exit 0 ledger record --replace other.json
[ "$(git ls-tree -r --name-only wheel-ledger | grep -c manylinux)" = 1 ] || { git ls-tree -r --name-only wheel-ledger >&2; fail "a wheel is recorded under two names"; }
expect_exit 0 ledger show pkg00-1.0+cu128torch2.8-cp312-cp312-manylinux2014_x86_64.manylinux_2_17_x86_64.whl
# `torch28` is another version than `torch2.8`.
expect_exit 1 ledger show pkg00-1.0+cu128torch28-cp312-cp312-linux_x86_64.whl
