#!/usr/bin/env bash
# The example workflow that plans, run by act. A pull request whose list changed without a bump fails, and its comment says
# so; with the bump it passes, and the same comment says what is rebuilt; that of a fork is not commented. On main the
# rebuild is started at its last page, and with [changed only] what kept its list is carried forward.
. "$(dirname "$0")/farm_lib.sh"
make_remote remote.git
make_repository
cp -r "$root/docs/example-farm/packages" .
take_workflow example-plan </dev/null
push_repository
# All wheels of the farm are there, and recorded.
"$WHEELARCH" matrix --existing "$work/nothing" --all >"$work/all.json" 2>"$work/err" || fail "no matrix"
python3 "$root/tests/cli/plan_entries.py" "$work/all.json" "$work/entries" >"$work/names"
"$WHEELARCH" ledger collect "$work/entries" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; fail "nothing was recorded"; }
github '{"releases": {p + "_pkg-latest": of(p + "_pkg") for p in ("example", "narrow", "stub")}}'

pull_request() { # pull_request CODE HEAD_REPOSITORY
  cat >"$work/event.json" <<JSON
{"pull_request": {"number": 7, "head": {"ref": "branch", "repo": {"full_name": "$2"}}, "base": {"ref": "main"}}}
JSON
  run_workflow pull_request "$1" --eventpath "$work/event.json"
}
push() { # push MESSAGE
  jq -n --arg message "$1" '{ref: "refs/heads/main", head_commit: {message: $message}}' >"$work/event.json"
  run_workflow push 0 --eventpath "$work/event.json"
}
comments() { jq -c "[.comments[]? | .body | $1]" "$work/says.json"; }
dispatched() { jq -c '.dispatched // []' "$work/says.json"; }

sed -i 's/"13.0": "8.0"/"13.0": "8.0;9.0"/' packages/_arch_policy.yml
commit_repository
pull_request 1 example-org/fork
in_log "error[drifted] example_pkg: 1 wheel"
[ "$(comments .)" = "[]" ] || fail "a fork's pull request was commented"
cp "$ARTIFACTS/plan/plan.md" "$work/plan.md"
pull_request 1 example-org/farm
[ "$(comments .)" = "$(jq -cRs '[.]' "$work/plan.md")" ] || { comments . >&2; fail "another comment"; }
diff -u - "$work/plan.md" >&2 <<'MARKDOWN' || fail "another plan"
<!-- plan -->
### What this changes

0 wheels are rebuilt, 4 stay as they are.
**2 got another list without a new `build_epoch`.**

| wheels | state | why |
| --: | --- | --- |
| 2 | drifted | `the list moved without a new epoch: 8.0+PTX → 8.0;9.0+PTX, by arch_policy['13.0'] in packages/_arch_policy.yml:3` |

| package | rebuilt | drifted | current |
| --- | --: | --: | --: |
| `example_pkg` | 0 | 1 | 1 |
| `stub_pkg` | 0 | 1 | 1 |
MARKDOWN

set_epoch 2
echo 'bumps: {2: {rebuild: lists}}' >>packages/_defaults.yml
commit_repository
pull_request 0 example-org/farm
[ "$(comments 'split("\n")[3]')" = '["6 wheels are rebuilt, 0 stay as they are."]' ] || { comments . >&2; fail "the comment is not as the plan is now"; }

push "Widen the list of CUDA 13.0"
[ "$(dispatched)" = '[{"inputs":{"page":"1"},"ref":"main"}]' ] || { dispatched >&2; fail "something else was started"; }
push "Widen the list of CUDA 13.0 [changed only]"
in_log "carried 4 wheels forward"
in_log "2 jobs"
[ "$(dispatched)" = '[{"inputs":{"page":"1"},"ref":"main"},{"inputs":{"page":"1"},"ref":"main"}]' ] || { dispatched >&2; fail "something else was started"; }
grep -qF "/actions/workflows/example-matrix.yml " "$work/says.json.log" || fail "another workflow was started"

# More than GitHub takes at once is started at its last page.
{
  printf 'name: big_pkg\nversion: "1.0"\nbuild_matrix:\n  combinations:\n'
  for ((i = 0; i < 300; i++)); do printf '    - {cuda: "13.0", pytorch: "2.%d.0", python_versions: ["3.12"], arch_list: "9.0"}\n' "$i"; done
} >packages/big_pkg.yml
commit_repository
push "Add big_pkg"
[ "$(jq -c '[.dispatched[].inputs.page]' "$work/says.json")" = '["1","1","2"]' ] || { dispatched >&2; fail "another page was started"; }

# A policy that nobody can read.
echo 'lnks_torch: false' >>packages/stub_pkg.yml
commit_repository
pull_request 1 example-org/farm
in_log 'the key "lnks_torch" is unknown'
[ "$(comments 'split("\n")[3]')" = '["The policy could not be read: see the log."]' ] || { comments . >&2; fail "another comment"; }
