# Shared by the launcher's scenarios, which source it after lib.sh: the script of action.yml's first step, on its own.
# shellcheck shell=bash disable=SC2034,SC2154
need_fixtures
[ -x "$venv/bin/python" ] || lacking "$venv: run .ci/setup"

script_of() { # script_of STEP_ID: the text of its `run`
  "$venv/bin/python" - "$root/action.yml" "$1" <<'PYTHON'
import sys
from ruamel.yaml import YAML
steps = YAML(typ="safe").load(open(sys.argv[1]))["runs"]["steps"]
print([step["run"] for step in steps if step["id"] == sys.argv[2]][0])
PYTHON
}
make_action() { # make_action FOLDER [PLATFORM]: the folder of an action with the program under test
  export GITHUB_ACTION_PATH=$1
  program=$1/dist/${2:-linux-x64}/wheelarch
  mkdir -p "$(dirname "$program")"
  cp "$WHEELARCH" "$program"
}
# launch EXIT [COMMAND...]: runs the script by `sh -e`, as a runner does, or by COMMAND and `-e`.
launch() {
  local want=$1
  shift
  [ $# -gt 0 ] || set -- sh
  code=0
  "$@" -e "$work/launcher.sh" >"$work/out" 2>"$work/err" </dev/null || code=$?
  [ "$code" = "$want" ] || { cat "$work/out" "$work/err" >&2; fail "exit $code instead of $want with $*"; }
}
expect_verdict() { # expect_verdict VERDICT: of the launch before; the next one starts with no outputs
  expect_step_output verdict "$1"
  : >"$GITHUB_OUTPUT"
}
script_of posix >"$work/launcher.sh"
chmod 644 "$work/launcher.sh"
