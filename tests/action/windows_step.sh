#!/usr/bin/env bash
# What the Windows step of action.yml starts, in the surroundings of a Windows runner, under Wine: exit codes, outputs, and
# inputs as Windows writes them. The step's own few lines of PowerShell run in CI, on Windows.
. "$(dirname "$0")/lib.sh"
cd / && rmdir "$work" # the next one makes another
. "$root/tests/platforms/windows_lib.sh"
need_fixtures
mkdir -p "a/wheel arch é/dist/sub folder"
cd "a/wheel arch é"
launch() { # launch EXIT NAME=VALUE...: with these inputs
  step_environment
  set_inputs witness=native "${@:2}"
  RUNNER_OS=Windows RUNNER_TEMP=$(windows_path "$work/temp") GITHUB_OUTPUT=$(windows_path "$work/outputs") \
    GITHUB_STEP_SUMMARY=$(windows_path "$work/summary.md") GITHUB_WORKSPACE=$(windows_path .) expect_exit "$1" action
  ! grep -n $'\r' out err "$GITHUB_OUTPUT" "$GITHUB_STEP_SUMMARY" >&2 || fail "a line end of Windows"
}
made_wheel "dist/sub folder" pkg 1.0 cp312-cp312-win_amd64 pe_short_name.pyd=pkg/_C.pyd
wheel="dist/sub folder/pkg-1.0-cp312-cp312-win_amd64.whl"
list="8.0;9.0+PTX"

# Patterns with both slashes, and lists whose lines end as Windows ends them.
for wheels in 'dist/**/*.whl' 'dist\sub folder\*.whl' 'dist\**\*.whl' "$(windows_path dist)" $'\r\n  dist/sub folder/*.whl\r\n'; do
  launch 0 command=assert wheels="$wheels" arch-list="$list" extra-args=$'--per-member\r\n--exclude=other.so\r\n'
  expect_step_output verdict match
  expect_step_output sass "sm_80 sm_90"
  expect_step_output report "$(windows_path "$work/temp")\\wheelarch-report.json"
  check_json "$work/temp/wheelarch-report.json" 'd["verdict"] == "match"'
done

launch 0 wheels='dist/**/*.whl' matrix=$'{\r\n  "arch_list": "8.0;9.0+PTX",\r\n  "platform": "windows"\r\n}'
expect_step_output verdict match
is_stamped "$wheel" || fail "no stamp"
check_json "$wheel.ledger.json" 'd["cell"]["platform"] == "windows"'
! grep -q $'\r' "$wheel.ledger.json" || fail "a line end of Windows in the entry"
[ "$(ls "$work/temp")" = wheelarch-report.json ] || { ls "$work/temp" >&2; fail "the row was left behind"; }

launch 1 wheels='dist/**/*.whl' arch-list="8.6"
expect_step_output verdict mismatch
launch 2 wheels='dist/**/*.whl' arch-list="8,6"
expect_step_output verdict unchecked
launch 3 wheels='none\*.whl' arch-list="8.0"
expect_step_output verdict unchecked
