#!/usr/bin/env bash
# `wheelarch action` turns the inputs into a command, and sets the step's outputs whatever the outcome.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
mkdir -p dist/sub
cp $wheel dist/a-1.0-py3-none-any.whl
cp $wheel dist/sub/b-1.0-py3-none-any.whl

step_environment
set_inputs wheels="dist/*.whl" arch-list="8.0;9.0" witness=native
expect_exit 0 action
expect_line out "wheelarch assert --arch-list=8.0;9.0 --witness=native --json=$RUNNER_TEMP/wheelarch-report.json -- dist/a-1.0-py3-none-any.whl"
expect_step_output verdict match
expect_step_output sass "sm_80 sm_90"
expect_step_output ptx ""
expect_step_output report "$RUNNER_TEMP/wheelarch-report.json"
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["verdict"] == "match"'
grep -q '^### ✅ match' "$GITHUB_STEP_SUMMARY" || fail "no job summary"

# Patterns, one a line, across folders; options, one a line; a report of one's own.
step_environment
set_inputs wheels=$'\n  dist/**/*.whl  \n\n' arch-list=8.0 report=r.json witness=native extra-args=$'--per-member\n  --exclude=other.so\n'
expect_exit 1 action
expect_step_output verdict mismatch
expect_step_output report r.json
check_json r.json '[r["file"] for r in d["results"]] == ["dist/a-1.0-py3-none-any.whl", "dist/sub/b-1.0-py3-none-any.whl"]'

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
refused 2 wheels=x.whl wheel=y.whl <<'EOT'
error: unknown input 'wheel'
    fix: the nearest input is 'wheels'
EOT
refused 2 command=gate wheels=x.whl <<'EOT'
error: unknown command 'gate'
    fix: this version knows: assert
EOT
export WHEELARCH_INPUTS='not JSON'
expect_exit 2 action
