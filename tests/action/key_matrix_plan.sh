#!/usr/bin/env bash
# The action's commands on the policy: their outputs, their summary, and that no text of theirs is a workflow command.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm
row() { python3 -c 'import json; print(json.dumps(json.load(open("all.json"))["linux"]["include"][0], indent=2))'; }
step() { # step EXIT NAME=VALUE...: of the farm at hand
  step_environment
  set_inputs farm=farm "${@:2}"
  expect_exit "$1" action
  expect_no_command out
}
text=example_attn-2.8.3+cu128torch2.7-cp312-linux

# key
step 0 command=key matrix="$(row)" existing=names
expect_step_output exists true
expect_step_output exists-key $text@epoch1
expect_step_output verdict ok
expect_step_output jobs ""
[ "$(ls "$RUNNER_TEMP")" = wheelarch-report.json ] || { ls "$RUNNER_TEMP" >&2; fail "the row was left behind"; }
step 0 command=key matrix="$(row)" existing=nothing
expect_step_output exists false
expect_step_output exists-key $text@epoch1
step 0 command=key matrix="$(row)" extra-args=--key-only
expect_step_output exists ""
expect_step_output exists-key $text@epoch1
step 2 command=key
expect_step_output verdict unchecked
expect_step_output exists ""
step 3 command=key matrix="$(row)" existing=missing
expect_step_output exists ""
expect_step_output exists-key ""
expect_step_output verdict unchecked

# matrix: on one line, with its jobs and pages; also in files, since an output may be too long to hand on otherwise.
line_of() { python3 -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1])), separators=(",", ":"), ensure_ascii=False))' "$1"; }
step 0 command=matrix existing=nothing
expect_step_output matrix "$(line_of all.json)"
expect_step_output jobs 29
expect_step_output pages 1
expect_step_output verdict ok
cmp "$RUNNER_TEMP/wheelarch-matrix.json" all.json || fail "the file"
cmp "$RUNNER_TEMP/wheelarch-matrix.page1.json" all.json || fail "the page's file"
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["jobs"] == 29 and d["matrix"] == __import__("json").load(open("all.json"))'
grep -q '29 of 29 rows are to be built' "$GITHUB_STEP_SUMMARY" || { cat "$GITHUB_STEP_SUMMARY" >&2; fail "summary"; }
step 0 command=matrix existing=nothing extra-args=$'--package=example-cpu\n--python=cp313'
expect_step_output jobs 1
# Nothing to build: a workflow skips by jobs.
step 0 command=matrix existing=names
expect_step_output jobs 0
expect_step_output pages 0
expect_step_output verdict ok
expect_step_output matrix '{"linux":{"include":[]},"linux_aarch64":{"include":[]},"windows":{"include":[]},"linux_link":{"include":[]},"windows_link":{"include":[]},"linux_chain":{"include":[]},"windows_chain":{"include":[]}}'
expect_line out "nothing to build"
# Too much for one matrix.
cp -r farm big
python3 -c '
rows = "\n".join(f"    - {{cuda: \"12.{i % 9}\", pytorch: \"2.{i}.0\", arch_list: \"8.0\"}}" for i in range(300))
print("name: example_big\nversion: \"1.0\"\nsource_repo: example-org/big\nsource_tag: v1\nbuild_matrix:\n  platforms: [linux]\n  python_versions: [\"3.12\"]\n  combinations:\n" + rows)' >big/packages/example_big.yml
step 0 command=matrix farm=big existing=nothing page=2 extra-args=--package=example_big
expect_step_output jobs 44
expect_step_output pages 2
[ "$(wc -l <"$GITHUB_OUTPUT")" = 30 ] || fail "the matrix is not on one line"
step 0 command=matrix farm=big existing=nothing extra-args=--package=example_big
expect_step_output jobs 256
annotations | grep -q '^::warning title=wheelarch%3A matrix-pages::300 jobs in 2 pages; page 1 has 256, 44 remain' || { annotations >&2; fail "no word of the second page"; }
step 2 command=matrix farm=big existing=nothing page=3
expect_step_output jobs ""
expect_step_output verdict unchecked
step 3 command=matrix existing=missing
expect_step_output matrix ""
expect_step_output verdict unchecked

# plan: with its verdict, its matrix and its summary.
record entries
step 0 command=plan
expect_step_output verdict ok
expect_step_output jobs 0
grep -q '^21 cells: 0 missing, 0 stale, 21 current, 0 drifted, 0 replaced, 0 orphan; nothing to rebuild$' "$GITHUB_STEP_SUMMARY" || { cat "$GITHUB_STEP_SUMMARY" >&2; fail "summary"; }
sed -i 's/arch_list: "10.0a"/arch_list: "10.0"/' farm/packages/example_rows.yml
step 1 command=plan extra-args=--check
expect_step_output verdict drifted
expect_step_output jobs 0
[ "$(annotations | grep -c '^::error title=wheelarch%3A drifted')" = 1 ] || { annotations >&2; fail "no annotation"; }
grep -q '10.0a → 10.0+PTX' "$GITHUB_STEP_SUMMARY" || { cat "$GITHUB_STEP_SUMMARY" >&2; fail "summary"; }
set_epoch 2
step 0 command=plan extra-args=--changed-only
expect_step_output verdict ok
expect_step_output jobs 6
expect_step_output pages 1
git -C farm show wheel-ledger:example_cpu/example_cpu-1.0+cu126torch2.6-cp312-cp312-win_amd64.whl.json >entry.json
check_json entry.json 'd["valid_for_epoch"] == {"farm": 2, "package": 0}'

# The ledger of another name; existing wheels of a list.
git -C farm branch -m wheel-ledger other
step 0 command=plan ledger-branch=other
expect_step_output jobs 6
step 0 command=plan existing=names ledger-branch=none
expect_step_output jobs 29
annotations | grep -q '^::warning title=wheelarch%3A no-ledger::' || fail "no word of the ledger"

# Text of the policy is data: in the log, in annotations, in the summary and in the outputs.
take_farm "$root/tests/farm/flat"
cat >farm/packages/evil.yml <<'YAML'
name: evil
source_repo: "::error::pwned::set-output name=jobs::9"
source_tag: "##[error]x ::warning::y"
version: "1.0"
patch_script: "::add-mask::</code>|<script>"
arch_list: "8.0"
build_matrix: {platforms: [linux], python_versions: ["3.12"], combinations: [{cuda: "12.8", pytorch: "2.8.0"}]}
YAML
step 0 command=matrix existing=nothing extra-args=--package=evil
expect_step_output jobs 1
expect_no_command out <(without_annotations err)
expect_exit 0 matrix --farm farm --existing nothing --package evil
expect_no_command out <(without_annotations err)
check_json out 'd["linux"]["include"][0]["source_repo"] == "::error::pwned::set-output name=jobs::9"' 'd["linux"]["include"][0]["source_tag"] == "##[error]x ::warning::y"'
expect_exit 0 matrix --farm farm --existing nothing --package evil --json -
expect_no_command out <(without_annotations err)
check_json out 'd["matrix"]["linux"]["include"][0]["source_tag"] == "##[error]x ::warning::y"'
expect_exit 0 plan --farm farm --json -
expect_no_command out <(without_annotations err)
check_json out 'd["counts"]["missing"] == 22'
step 0 command=plan
expect_no_command out <(without_annotations err)
