#!/usr/bin/env bash
# action.yml as a whole: each input and output is used by a scenario, both steps give the same outputs, no expression is
# part of a script, and the scenarios' inputs are those of a runner.
. "$(dirname "$0")/lib.sh"
[ -x "$venv/bin/python" ] || lacking "$venv: run .ci/setup"
set_inputs
"$venv/bin/python" - "$root" <<'PYTHON' || fail "action.yml"
import glob, json, os, re, sys
from ruamel.yaml import YAML
root = sys.argv[1]
action = YAML(typ="safe").load(open(f"{root}/action.yml"))
steps = {step["id"]: step for step in action["runs"]["steps"]}
wrong = []

if [(step["if"], step["shell"]) for step in steps.values()] != [("runner.os != 'Windows'", "sh"), ("runner.os == 'Windows'", "pwsh")]:
    wrong.append("not exactly one step for each runner")
for name, step in steps.items():
    if "${{" in step["run"]:
        wrong.append(f"step {name}: an expression is pasted into the script")
    if step["env"] != {"WHEELARCH_INPUTS": "${{ toJSON(inputs) }}"}:
        wrong.append(f"step {name}: another environment")
for name, output in action["outputs"].items():
    either = f"steps.posix.outputs.{name} || steps.windows.outputs.{name}" + (" || 'unchecked'" if name == "verdict" else "")
    if output["value"] != "${{ " + either + " }}":
        wrong.append(f"output {name}: not of both steps: {output['value']}")

defaults = {name: entry["default"] for name, entry in action["inputs"].items()} | {"token": ""}
if json.loads(os.environ["WHEELARCH_INPUTS"]) != defaults:
    wrong.append("lib.sh: set_inputs does not give action.yml's inputs and defaults")

scenarios = "\n".join(open(path).read() for path in sorted(glob.glob(f"{root}/tests/action/*.sh")) if not path.endswith("/lib.sh"))
workflows = "\n".join(open(path).read() for path in glob.glob(f"{root}/tests/action/*.yml"))
for name in action["inputs"]:
    if not re.search(rf"^ *(set_inputs|step|sweep) [^\n]*[ \"]{name}=", scenarios, re.MULTILINE):
        wrong.append(f"input {name}: no scenario sets it")
for name in action["outputs"]:
    if not re.search(rf"expect_step_output {name} [^\n]", scenarios):
        wrong.append(f"output {name}: no scenario looks at it")
    if not re.search(rf"\.outputs\.{name}\b|\[\"{name}\"\]", workflows):
        wrong.append(f"output {name}: no workflow looks at it")
commands = re.findall(r"`([a-z]+)` ", action["inputs"]["command"]["description"])
for command in commands:
    if not re.search(rf"\bcommand={command}\b", scenarios) and command != action["inputs"]["command"]["default"]:
        wrong.append(f"command {command}: no scenario gives it")
print(*wrong, sep="\n", end="\n" * bool(wrong), file=sys.stderr)
sys.exit(bool(wrong))
PYTHON
