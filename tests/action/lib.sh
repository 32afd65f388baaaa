# Shared by the action's scenario tests: what tests/cli/lib.sh gives, and a step of a workflow to run in.
# shellcheck shell=bash disable=SC2034
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

step_environment() { # a Linux runner's variables, and the step's own files, empty, as in a job of its own
  rm -rf "$work/temp"
  export GITHUB_ACTIONS=true RUNNER_OS=Linux RUNNER_ARCH=X64 RUNNER_TEMP=$work/temp
  export GITHUB_OUTPUT=$work/outputs GITHUB_STEP_SUMMARY=$work/summary.md
  mkdir -p "$RUNNER_TEMP"
  : >"$GITHUB_OUTPUT"
  : >"$GITHUB_STEP_SUMMARY"
}
set_inputs() { # set_inputs NAME=VALUE...: as toJSON(inputs) gives them, those not named at action.yml's defaults
  WHEELARCH_INPUTS=$(python3 - "$@" <<'PYTHON'
import json, sys
names = ["wheels", "arch-list", "matrix", "farm", "cuobjdump", "token", "existing", "sources", "shard", "report", "extra-args"]
inputs = dict.fromkeys(names, "") | {"command": "gate", "witness": "auto", "ledger-branch": "wheel-ledger", "page": "1", "lint": "false"}
print(json.dumps(inputs | dict(pair.split("=", 1) for pair in sys.argv[1:]), indent=2))
PYTHON
  )
  export WHEELARCH_INPUTS
}
expect_step_output() { # expect_step_output NAME VALUE: as a runner reads the file of outputs
  python3 - "$GITHUB_OUTPUT" "$@" <<'PYTHON' || fail "output $1"
import sys
lines = iter(open(sys.argv[1], encoding="utf-8").read().split("\n")[:-1])
found = {}
for line in lines:
    if "<<" in line.split("=")[0]:
        name, delimiter = line.split("<<", 1)
        found[name] = "\n".join(iter(lambda: next(lines), delimiter))
    else:
        name, found[name] = line.split("=", 1)
if found.get(sys.argv[2]) != sys.argv[3]:
    sys.exit(f"output {sys.argv[2]}: wanted {sys.argv[3]!r}, found {found}")
PYTHON
}

# A repository that has the action and the program under test, and act to run its workflows as a self-hosted runner would.
need_act() {
  act=$(command -v act || echo "$tools/act")
  [ -x "$act" ] || lacking "act: run .ci/setup"
  [ -x "$venv/bin/python" ] || lacking "$venv: run .ci/setup"
  need git
}
make_repository() { # and go there
  mkdir -p repository/dist/linux-x64 repository/.github/workflows home config/act cache
  cd repository
  cp "$root/action.yml" .
  cp "$WHEELARCH" dist/linux-x64/wheelarch
  printf -- "-P %s=-self-hosted\n" ubuntu-latest ubuntu-24.04 >"$work/config/act/actrc"
}
commit_repository() {
  git init -q .
  git add -A
  git -c user.name=test -c user.email=test@example.org commit -qm test
}
run_act() { # run_act OPTION...: the log goes to $work/log
  HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache "$act" push "$@" >"$work/log" 2>&1
}
