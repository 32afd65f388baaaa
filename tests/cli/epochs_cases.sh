#!/usr/bin/env bash
# What a maintainer does in a year, where answers were wrong without a word.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
new() { # a farm with three wheels for CUDA 13.0
  rm -rf farm w && mkdir w && cp -r "$root/docs/example-farm" farm && git init -q farm
  cp farm/before/*.whl "$root"/tests/example/narrow_pkg-*.whl "$root"/tests/example/stub_pkg-*.whl w
  (cd w && printf "%s\n" *.whl) >assets
}
rows() {
  expect_exit 0 matrix --farm farm --all --existing nothing --cuda 13.0 --output m.json
  python3 -c "import json; [json.dump(r, open(r['package']+'.json','w')) for g in json.load(open('m.json')).values() for r in g['include']]"
}
built() {
  local one
  rows
  for one in "$@"; do expect_exit 0 gate --witness native --farm farm --cell "$one.json" w/"$one"-*.whl; done
  expect_exit 0 ledger collect --replace --farm farm w
}
epoch() { sed -i "s/^build_epoch: .*/build_epoch: $1/" farm/packages/_defaults.yml; }
plan() { expect_exit "$1" plan --farm farm --cuda 13.0 --json plan.json "${@:2}"; }
state() { check_json plan.json "{c['package']: c['state'] for c in d['cells']}['$1'] == '$2'"; }

# P1: a package that is ahead does not swallow the farm's next bump.
new && built example_pkg narrow_pkg stub_pkg
echo 'build_epoch: 2' >>farm/packages/narrow_pkg.yml
built narrow_pkg
epoch 2
plan 0 --existing assets --check
state narrow_pkg stale
expect_exit 0 matrix --farm farm --existing assets --cuda 13.0 --json m.json
check_json m.json 'd["jobs"] == 3'
# P12b: taken out, it would let one number stand for two things.
sed -i '/^build_epoch/d' farm/packages/narrow_pkg.yml
plan 2

# P2: a wheel is not carried over a bump whose rebuild never ran.
new && built example_pkg narrow_pkg stub_pkg
epoch 3
sed -i '1a bumps: {2: {why: a flag, rebuild: all}, 3: {rebuild: lists}}' farm/packages/_defaults.yml
plan 0 --existing assets --changed-only
check_json plan.json 'd["counts"]["carry"] == 0 and d["counts"]["rebuild"] == 3'
grep -qF 'bump: epoch 2 (all: a flag)' out || { cat out >&2; fail "no why"; }

# P3: a new source tag is built, version or not.
new && sed -i '/^version/d' farm/packages/example_pkg.yml && built example_pkg
sed -i 's/source_tag: v1.0/source_tag: v2.0/' farm/packages/example_pkg.yml
expect_exit 0 matrix --farm farm --existing assets --package example_pkg --cuda 13.0 --json m.json
check_json m.json 'd["jobs"] == 1'
plan 0 --existing assets --package example_pkg
state example_pkg stale
grep -qF 'built from v1.0, the policy says v2.0' out || { cat out >&2; fail "no source"; }

# P4: a generator that drops what exists by name is noticed.
new && epoch 2 && echo '{"linux": {"include": []}}' >rows.json
expect_exit 0 matrix --farm farm --existing assets --cuda 13.0 --from rows.json --output from.json
grep -q '^warning\[rows-missing\] 3 cells of the policy are behind' err || { cat err >&2; fail "not said"; }

# P6: one doubtful wheel does not lose the entries beside it.
new && built example_pkg narrow_pkg stub_pkg && git -C farm update-ref -d refs/heads/wheel-ledger
mkdir -p b/1 b/2 && cp w/*.json b/1
python3 -c "import json, glob; f = glob.glob('b/1/example*.json')[0]; e = json.load(open(f)); e['wheel']['sha256'] = '2' * 64; json.dump(e, open(f.replace('b/1', 'b/2'), 'w'))"
expect_exit 1 ledger collect --farm farm b
grep -q '^recorded 2 wheels' out || { cat out >&2; fail "not recorded"; }
grep -q '^error\[recorded-twice\] example_pkg' err || { cat err >&2; fail "not named"; }

# P7: the release serves another file than was recorded.
new && built narrow_pkg
name=$(cd w && echo narrow_pkg-*.whl)
echo '{"assets":[{"name":"'"$name"'","state":"uploaded","size":1,"updated_at":"2025-01-01T00:00:00Z","digest":"sha256:'"$(printf 0%.0s {1..64})"'"}]}' >assets.json
plan 1 --existing assets.json --package narrow_pkg --check
state narrow_pkg replaced
expect_exit 0 matrix --farm farm --existing assets.json --cuda 13.0 --package narrow_pkg --json m.json
check_json m.json 'd["jobs"] == 0'
grep -q '^warning\[asset-replaced\] ' err || { cat err >&2; fail "not said"; }
expect_exit 0 matrix --farm farm --existing assets.json --cuda 13.0 --package narrow_pkg --rebuild-replaced --json m.json
check_json m.json 'd["jobs"] == 1'

# P8: an older run does not put an epoch back.
new && epoch 2 && built narrow_pkg
python3 -c "import json, glob; e = json.load(open(glob.glob('w/narrow*.json')[0])); e['build_epoch'] = 1; e['wheel']['sha256'] = '1' * 64; json.dump(e, open('bad.ledger.json', 'w')); e['exists_key'] = e['exists_key'].replace('@epoch2', '@epoch1'); json.dump(e, open('old.ledger.json', 'w'))"
expect_exit 1 ledger record --farm farm --replace old.ledger.json
grep -q '^error\[older-than-recorded\] ' err || { cat err >&2; fail "went back"; }
expect_exit 3 ledger record --farm farm --replace bad.ledger.json

# P9: a ledger that must be there.
sed -i '1a ledger: required' farm/packages/_defaults.yml
git -C farm update-ref -d refs/heads/wheel-ledger
expect_exit 3 matrix --farm farm --cuda 13.0 --existing assets
expect_exit 0 ledger init --farm farm
expect_exit 0 matrix --farm farm --cuda 13.0 --existing assets --output m.json
expect_exit 2 ledger init --farm farm

# P10: what inferred entries hide, the policy of a commit shows.
new && expect_exit 0 ledger backfill --farm farm w
git -C farm add -A && git -C farm -c user.name=x -c user.email=x@example.org commit -qm x
sed -i 's/"13.0": "8.0"/"13.0": "8.0;9.0;12.0"/' farm/packages/_arch_policy.yml
plan 0 --check
grep -q '^warning\[check-blind\] ' err || { cat err >&2; fail "blind without a word"; }
expect_exit 1 plan --farm farm --check --base HEAD --markdown comment.md
grep -q '^error\[epoch-forgotten\] ' err || { cat err >&2; fail "not found"; }
epoch 2
expect_exit 0 plan --farm farm --check --base HEAD --json base.json
check_json base.json 'd["jobs"] == 6 and not d["findings"]'
git -C farm checkout -q .
expect_exit 0 plan --farm farm --check --base HEAD --json base.json
check_json base.json 'd["jobs"] == 0 and d["lists"] == []'

# P11: a CUDA release that is newer than the table.
new
sed -i 's/"13.0"/"14.0"/; s/"2.9.0"/"3.0.0"/' farm/packages/_defaults.yml
sed -i 's/"13.0": "8.0"/"14.0": "9.0;10.0;13.0"/' farm/packages/_arch_policy.yml
expect_exit 0 matrix --farm farm --existing nothing --output m.json

# Why a cell is rebuilt, in five lines.
new && built narrow_pkg && epoch 2
plan 0 --existing assets --package narrow_pkg --explain narrow_pkg-1.0+cu130torch2.9-cp312-linux
[ "$(grep -cE '^  (recorded|policy|bumps|asset|so) ' out)" = 5 ] || { cat out >&2; fail "not five lines"; }
check_json plan.json 'd["explain"][0]["bumps"] == "epoch 2 (all)"'
