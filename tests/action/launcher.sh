#!/usr/bin/env bash
# The script of action.yml on its own: it picks the binary by the runner's platform, passes on what it exits with, and
# says so where there is none.
. "$(dirname "$0")/lib.sh"
. "$root/tests/action/launcher_lib.sh"
wheel ext_no_ptx.so=pkg/_C.so
step_environment
set_inputs wheels=$wheel arch-list="8.0;9.0" witness=native

# Without its executable bit, in a folder that must not be changed, by every shell that calls itself sh.
make_action "$work/read only/action"
shells=(sh)
for shell in dash "busybox sh" "bash --posix" "ksh93" "mksh"; do ! command -v "${shell%% *}" >/dev/null || shells+=("$shell"); done
for mode in 755 644; do
  chmod $mode "$program"
  chmod -R a-w "$GITHUB_ACTION_PATH"
  before=$(find "$GITHUB_ACTION_PATH" -printf '%P %m %T@\n')
  for shell in "${shells[@]}"; do
    # shellcheck disable=SC2086
    launch 0 $shell
    expect_verdict match
    expect_empty err
  done
  [ "$(find "$GITHUB_ACTION_PATH" -printf '%P %m %T@\n')" = "$before" ] || fail "the action's folder was changed"
  chmod -R u+w "$GITHUB_ACTION_PATH"
done
[ "$(find "$RUNNER_TEMP" -path '*/wheelarch.*/wheelarch' -perm 700 | wc -l)" = ${#shells[@]} ] || fail "no copies in RUNNER_TEMP"

# The exit code is the program's.
set_inputs wheels=$wheel arch-list="8.6" witness=native
launch 1
set_inputs wheels=$wheel arch-list="8,6" witness=native
launch 2
set_inputs wheels=missing.whl arch-list="8.6" witness=native
launch 3

# The platform is the runner's. Whether an arm64 program runs is not for this scenario: its place is looked at.
set_inputs wheels=$wheel arch-list="8.0;9.0" witness=native
RUNNER_ARCH=ARM64 launch 3
expect_same out "standard output" <<EOT
::error title=wheelarch::there is no $GITHUB_ACTION_PATH/dist/linux-arm64/wheelarch%0Afix: use the action at a released version, which has its binaries
EOT
make_action "$work/arm64 action" linux-arm64
: >"$GITHUB_OUTPUT"
RUNNER_ARCH=ARM64 launch 0
expect_verdict match
for platform in "macOS ARM64" "macOS X64" "Linux X86" "Linux ARM" " "; do
  RUNNER_OS=${platform% *} RUNNER_ARCH=${platform#* } launch 3
  expect_same out "standard output" <<EOT
::error title=wheelarch::there is no binary for $platform, only for Linux X64, Linux ARM64 and Windows%0Afix: run this job on one of them: each reads the wheels of every platform
EOT
  expect_empty err
done
