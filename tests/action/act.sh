#!/usr/bin/env bash
# The action in a workflow, run by act on this machine as on a self-hosted runner: see workflow.yml.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_act
make_repository
cp "$root/tests/action/workflow.yml" .github/workflows/
mkdir wheels
wheel_named wheels/$wheel ext_no_ptx.so=pkg/_C.so
cp -r "$root/tests/farm/flat" farm
: >farm/none
evil="evil \$(touch pwned-1) \`touch pwned-2\`; touch pwned-3 \"' && touch pwned-4 #"
mkdir "$evil"
cp wheels/$wheel "$evil/"
commit_repository

run_through() {
  run_act || { tail -100 "$work/log" >&2; fail "the workflow failed"; }
  grep -q 'all steps were reached' "$work/log" || { cat "$work/log" >&2; fail "the workflow did not reach its end"; }
  # What a reader of the log sees of a mismatch.
  grep -qF "error[missing-arch] $wheel: sm_86 requested" "$work/log" || fail "no finding in the log"
}
run_through

# The outputs of the second step, which is for Windows, reach the caller as those of the first do: the conditions of the
# two change places, and the second has the first one's script. Its own runs in CI, on Windows.
"$venv/bin/python" - <<'PYTHON'
from ruamel.yaml import YAML
yaml = YAML()
action = yaml.load(open("action.yml"))
posix, windows = action["runs"]["steps"]
posix["if"], windows["if"] = windows["if"], posix["if"]
windows["shell"], windows["run"] = posix["shell"], posix["run"]
posix["run"] = "echo the wrong step; exit 1"
yaml.dump(action, open("action.yml", "w"))
PYTHON
run_through
