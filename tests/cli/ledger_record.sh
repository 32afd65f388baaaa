#!/usr/bin/env bash
# ledger record: entries get onto the branch, once; what is no entry is refused, and the branch stays as it was.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 3
mapfile -t entry < <(ls entries/*)
first=$(basename "${entry[0]#entries/000000-}" .ledger.json)
git init -q farm
cd farm
printf "%s\n" out err schema.log >.git/info/exclude # what this script writes here
entry=("${entry[@]/#/../}")
tip() { git rev-parse -q --verify refs/heads/wheel-ledger || echo none; }

expect_exit 0 ledger record "${entry[0]}" --json ../result.json
expect_line out "recorded 1 wheel in wheel-ledger, commit $(tip)"
expect_empty err
check_json ../result.json 'd["schema"] == 1 and d["branch"] == "wheel-ledger" and d["commit"] == "'"$(tip)"'"' \
  '(d["added"], d["replaced"], d["unchanged"], d["findings"]) == (1, 0, 0, [])'
[ "$(git ls-tree -r --name-only wheel-ledger)" = "pkg00/$first.json" ] || fail "the ledger holds $(git ls-tree -r --name-only wheel-ledger)"
git show "wheel-ledger:pkg00/$first.json" >../stored.json
check_json ../stored.json 'd == __import__("json").load(open("'"${entry[0]}"'"))'
expect_schema ledger-entry.schema.json ../stored.json
[ -z "$(git status --porcelain)" ] || fail "the work tree was touched"

# Again, and with others: only what is new makes a commit.
before=$(tip)
expect_exit 0 ledger record "${entry[0]}"
[ "$(tip)" = "$before" ] || fail "recording again made a commit"
sed 's/"recorded_at": "2026-01-31/"recorded_at": "2026-02-01/' "${entry[0]}" >../later.json
expect_exit 0 ledger record ../later.json
[ "$(tip)" = "$before" ] || fail "another time made a commit"
expect_exit 0 ledger record "${entry[@]}" --json -
check_json out 'd["added"] == 2 and d["unchanged"] == 1'
[ "$(git rev-list --count wheel-ledger)" = 2 ] || fail "not one commit for two entries"

# From a folder of the repository, by --farm from outside, and to another branch.
mkdir -p a/b
cd a/b
expect_exit 0 ledger record "../../${entry[0]}"
cd ../../..
expect_exit 0 ledger record "${entry[0]#../}" --farm farm/a --branch other/ledger
expect_exit 0 ledger list --farm farm --branch other/ledger
grep -q '^1 of 1 wheel$' out || fail "not on the other branch"

# In a workflow it is in the job summary.
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md expect_exit 0 ledger record entries/000001-* --farm farm
grep -q '^recorded 0 wheels' summary.md || { cat summary.md >&2; fail "no summary"; }

cd farm
before=$(tip)
expect_exit 3 ledger record missing.ledger.json
expect_error <<'EOT'
error: missing.ledger.json: cannot open the file: No such file or directory
    fix: check the path and its permissions
EOT
mkdir empty
expect_exit 3 ledger record empty
expect_exit 2 ledger record "${entry[0]}" --branch ../x
expect_exit 2 ledger record "${entry[0]}" --branch ""
expect_exit 3 ledger record "${entry[0]}" --farm missing
expect_exit 3 ledger record "${entry[0]}" --farm /
grep -qxF 'error: /: not in a git repository' err || { cat err >&2; fail "no repository"; }
[ "$(tip)" = "$before" ] || fail "a refusal made a commit"
