#!/usr/bin/env bash
# `wheelarch action` turns the inputs into a command, and sets the step's outputs whatever the outcome.
. "$(dirname "$0")/lib.sh"
need_fixtures
mkdir -p dist/sub
made_wheel dist a 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so
made_wheel dist/sub b 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so
a=dist/a-1.0-cp312-cp312-linux_x86_64.whl
b=dist/sub/b-1.0-cp312-cp312-linux_x86_64.whl

step_environment
set_inputs command=assert wheels="dist/*.whl" arch-list="8.0;9.0" witness=native
expect_exit 0 action
expect_line out "wheelarch assert --arch-list=8.0;9.0 --witness=native --json=$RUNNER_TEMP/wheelarch-report.json -- $a"
expect_step_output verdict match
expect_step_output sass "sm_80 sm_90"
expect_step_output ptx ""
expect_step_output entries ""
expect_step_output report "$RUNNER_TEMP/wheelarch-report.json"
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["verdict"] == "match"'
grep -q '^### ✅ match' "$GITHUB_STEP_SUMMARY" || fail "no job summary"

# Patterns, one a line, across folders; options, one a line; a report of one's own.
step_environment
set_inputs command=assert wheels=$'\n  dist/**/*.whl  \n\n' arch-list=8.0 report=r.json witness=native extra-args=$'--per-member\n  --exclude=other.so\n'
expect_exit 1 action
expect_step_output verdict mismatch
expect_step_output report r.json
check_json r.json '[r["file"] for r in d["results"]] == ["'$a'", "'$b'"]'

# Both witnesses, the second one from where the input says.
need_cuobjdump
step_environment
set_inputs command=assert wheels=$a arch-list="8.0;9.0" witness=both cuobjdump="$cuobjdump"
expect_exit 0 action
expect_step_output verdict match
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["witnesses"] == ["native", "cuobjdump"]'

# Each step of a job has a report of its own (U1), also one that could not begin.
set_inputs command=assert wheels=$a arch-list="8.0;9.0" witness=native
: >"$GITHUB_OUTPUT"
expect_exit 0 action
expect_step_output report "$RUNNER_TEMP/wheelarch-report-2.json"
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["witnesses"] == ["native", "cuobjdump"]'
check_json "$RUNNER_TEMP/wheelarch-report-2.json" 'd["witnesses"] == ["native"]'
set_inputs command=assert wheels=$a
: >"$GITHUB_OUTPUT"
expect_exit 2 action
expect_step_output report "$RUNNER_TEMP/wheelarch-report-3.json"
check_json "$RUNNER_TEMP/wheelarch-report-3.json" 'd["verdict"] == "unchecked"' 'd["errors"][0]["message"] == "nothing is requested"'

# An input that the command does not read is said; so is a row of which nothing is understood (U3).
step_environment
set_inputs command=assert wheels=$a arch-list="8.0;9.0" witness=native existing=assets.json page=2
expect_exit 0 action
expect_line out "warning[unused-input] \`command: assert\` does not read the inputs 'existing', 'page'"
expect_line out "    fix: leave them out: 'existing' is for key, matrix, plan, audit, backfill; 'page' is for matrix, plan"
annotations | grep -q '^::warning title=wheelarch%3A unused-input::' || fail "no annotation"
step_environment
set_inputs wheels=$a witness=native arch-list="8.0;9.0" matrix='{"os": "ubuntu-latest", "python-version": "3.12", "cuda-version": "12.8"}'
expect_exit 0 action
expect_line out "warning[row-not-understood] the matrix row: it has none of package, version, cuda, pytorch, python, platform, so the wheel is not compared with it; its fields are os, python-version, cuda-version"
expect_line out "    fix: did you mean \`python\` instead of \`python-version\`, \`cuda\` instead of \`cuda-version\`?"

# A blank may stand for the `=` of an option (U4).
step_environment
set_inputs command=assert wheels=$a witness=native arch-list="8.0" extra-args="--expect-member _C.so=8.0;9.0"
expect_exit 0 action
grep -qF -e "--expect-member=_C.so=8.0;9.0 --" out || fail "not split"

# gate is the default. The matrix row may be longer than an argument or a variable of the environment.
step_environment
set_inputs wheels="dist/**/*.whl" witness=native matrix="$(python3 -c '
import json
print(json.dumps({"arch_list": "8.0;9.0", "python": "3.12", "build_epoch": 4, "notes": "x" * 100000}, indent=2))')"
expect_exit 0 action
expect_step_output verdict match
expect_step_output entries "$a.ledger.json
$b.ledger.json"
check_json $a.ledger.json 'd["build_epoch"] == 4 and d["arch_list"] == "8.0;9.0"'
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["verdict"] == "match" and all(r["entry"] for r in d["results"])'
[ "$(ls "$RUNNER_TEMP")" = wheelarch-report.json ] || { ls "$RUNNER_TEMP" >&2; fail "the row was left behind"; }

# Outside of a matrix its context is null. A row that built another wheel is refused.
step_environment
set_inputs wheels=$a arch-list="8.0;9.0" witness=native matrix=null
expect_exit 0 action
expect_step_output verdict match
step_environment
set_inputs wheels=$a witness=native matrix='{"arch_list": "8.0;9.0", "python": "3.11"}'
expect_exit 1 action
expect_step_output verdict refused
expect_step_output entries ""
expect_no_file $a.ledger.json

# collect: into the repository that `farm` names, on the branch that `ledger-branch` names.
need git
for variable in $(env | sed -nE 's/^(GIT_[A-Z_0-9]*)=.*/\1/p'); do unset "$variable"; done
git init -q farm
step_environment
set_inputs command=collect wheels=$'dist/sub\n' farm=farm ledger-branch=other token=secret-token
expect_exit 0 action
expect_step_output verdict recorded
! grep -r secret-token out err temp summary.md outputs || fail "the token was shown"
[ "$(git -C farm ls-tree -r --name-only other)" = "b/$(basename $b).json" ] || fail "not collected"
sed -i 's/"build_epoch": 4/"build_epoch": 5/' $b.ledger.json
step_environment
set_inputs command=collect wheels='dist/**/*.ledger.json' farm=farm ledger-branch=other
expect_exit 1 action
expect_step_output verdict conflict
step_environment
set_inputs command=collect wheels='dist/**/*.ledger.json' farm=farm ledger-branch=other extra-args=--replace
expect_exit 0 action
expect_step_output verdict recorded

refused() { # refused EXIT NAME=VALUE... <MESSAGE
  local want=$1
  shift
  step_environment
  set_inputs "$@"
  expect_exit "$want" action
  expect_same <(without_annotations err) "standard error"
  expect_step_output verdict unchecked
  [ "$(annotations | wc -l)" = 1 ] || fail "no annotation"
}
refused 3 wheels="none/*.whl" arch-list=8.0 <<'EOT'
error: no file matches 'none/*.whl' of the input 'wheels'
    fix: check the pattern, and that an earlier step has built the wheel; in a container job give it relative to the workspace
EOT
refused 2 wheels="" arch-list=8.0 <<'EOT'
error: the input 'wheels' is empty
    fix: give paths or patterns, one a line, for example dist/*.whl
EOT
refused 2 wheels=$a <<'EOT'
error: nothing is requested
    fix: give the input `arch-list`, for example `arch-list: "8.0;9.0+PTX"`, or `extra-args: --device-code=none`, or a matrix row with an arch_list by the input `matrix`
EOT
refused 2 wheels=$a arch-list=8.0 extra-args="--per-member --cuda=13.0" <<'EOT'
error: the input 'extra-args' has two options in one line: '--per-member --cuda=13.0'
    fix: write one option a line, with its value behind a '='
EOT
refused 2 wheels=x.whl wheel=y.whl <<'EOT'
error: unknown input 'wheel'
    fix: the nearest input is 'wheels'
EOT
refused 2 command=gat wheels=x.whl <<'EOT'
error: unknown command 'gat'
    fix: this version knows: gate, assert, collect, key, lint, matrix, plan, audit, backfill
EOT
refused 2 wheels=x.whl shard=1/2 <<'EOT'
error: the input 'shard' has no meaning for the command 'gate'
    fix: it is for audit and backfill: leave it out
EOT
step_environment
set_inputs wheels=$a matrix='['
expect_exit 2 action
grep -q '^error: .*: the matrix row is not JSON: incomplete JSON$' err || { cat err >&2; fail "a row that is none"; }
refused 3 command=collect wheels=dist/sub farm=/ <<'EOT'
error: /: not in a git repository
    fix: check the repository out with git: where `git` is missing or too old, actions/checkout downloads the files alone, without .git, so install git (2.18 or newer) before that step
EOT
export WHEELARCH_INPUTS='not JSON'
expect_exit 2 action
