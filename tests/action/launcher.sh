#!/usr/bin/env bash
# The script of action.yml on its own: it finds the binary in odd places, and says so where there is none.
. "$(dirname "$0")/lib.sh"
need_fixtures
[ -x "$venv/bin/python" ] || lacking "$venv: run .ci/setup"
"$venv/bin/python" - "$root/action.yml" >launcher.sh <<'PYTHON'
import sys
from ruamel.yaml import YAML
steps = YAML(typ="safe").load(open(sys.argv[1]))["runs"]["steps"]
print([step["run"] for step in steps if step["shell"] == "sh"][0])
PYTHON
wheel ext_no_ptx.so=pkg/_C.so

launch() { # launch SHELL EXIT
  code=0
  $1 -e launcher.sh >out 2>err </dev/null || code=$?
  [ "$code" = "$2" ] || { cat out err >&2; fail "exit $code instead of $2 with $1"; }
}
step_environment
set_inputs wheels=$wheel arch-list="8.0;9.0" witness=native
export GITHUB_ACTION_PATH="$work/read only/action"
mkdir -p "$GITHUB_ACTION_PATH/dist/linux-x64"
cp "$WHEELARCH" "$GITHUB_ACTION_PATH/dist/linux-x64/wheelarch"

shells=(sh)
for shell in dash "busybox sh" "bash --posix"; do ! command -v "${shell%% *}" >/dev/null || shells+=("$shell"); done
for mode in 755 644; do # 644: the executable bit was lost
  chmod $mode "$GITHUB_ACTION_PATH/dist/linux-x64/wheelarch"
  chmod -R a-w "$GITHUB_ACTION_PATH"
  before=$(find "$GITHUB_ACTION_PATH" -printf '%P %m %T@\n')
  for shell in "${shells[@]}"; do
    : >"$GITHUB_OUTPUT"
    launch "$shell" 0
    expect_step_output verdict match
  done
  [ "$(find "$GITHUB_ACTION_PATH" -printf '%P %m %T@\n')" = "$before" ] || fail "the action's folder was changed"
  chmod -R u+w "$GITHUB_ACTION_PATH"
done
[ "$(find "$RUNNER_TEMP" -name 'wheelarch.*' | wc -l)" = ${#shells[@]} ] || fail "no copy in RUNNER_TEMP"

# The exit code is the program's.
set_inputs wheels=$wheel arch-list="8.6" witness=native
launch sh 1
set_inputs wheels=missing.whl arch-list="8.6" witness=native
launch sh 3

RUNNER_ARCH=ARM64 launch sh 3
expect_same out "standard output" <<'EOT'
::error title=wheelarch::this version has no binary for Linux ARM64, only for Linux X64%0Afix: run this job on a Linux x64 runner: it reads the wheels of every platform
EOT
RUNNER_OS=macOS launch sh 3
rm -r "$GITHUB_ACTION_PATH/dist"
launch sh 3
expect_same out "standard output" <<EOT
::error title=wheelarch::there is no $GITHUB_ACTION_PATH/dist/linux-x64/wheelarch%0Afix: use the action at a released version, which has its binaries
EOT
