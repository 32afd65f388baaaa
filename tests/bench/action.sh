#!/usr/bin/env bash
# Measures the step of the action, from its shell's start to its verdict, and what of it is the launcher. Prints the table
# that docs/performance.md has. Not a test: machines are noisy.
#
#   action.sh WHEELARCH WHEEL
#
# WHEEL is one that a gate lets pass: it is asked for what it holds. Needs hyperfine, unzip and python3.
set -euo pipefail
wheelarch=$(realpath "$1") wheel=$(realpath "$2")
action=$(realpath "$(dirname "$0")/../../action.yml")
name=$(basename "$wheel")
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$work"' EXIT
cd "$work"

# A runner's surroundings, and the first script of action.yml, which a runner starts as `sh -e FILE`.
export GITHUB_ACTIONS=true GITHUB_OUTPUT=$work/outputs GITHUB_STEP_SUMMARY=$work/summary GITHUB_ACTION_PATH=$work/action
export RUNNER_OS=Linux RUNNER_ARCH=X64 RUNNER_TEMP=$work/temp
mkdir -p temp action/dist/linux-x64
cp "$wheelarch" action/dist/linux-x64/wheelarch
awk '/run: \|/ {on = 1; next} on && /^$/ {exit} on {print substr($0, 9)}' "$action" >launcher.sh
sed 's/^exec .*//' launcher.sh >launcher-alone.sh
"$wheelarch" inspect --witness native --json inventory.json "$wheel" >log
WHEELARCH_INPUTS=$(python3 - "$name" <<'PYTHON'
import json, sys
found = json.load(open("inventory.json"))["files"][0]
archs = ";".join([a.replace("sm_", "") + "-real" for a in found["sass"]] + [a.replace("compute_", "") + "-virtual" for a in found["ptx"]])
print(json.dumps({"command": "gate", "wheels": sys.argv[1], "arch-list": archs, "witness": "native"}))
PYTHON
)
export WHEELARCH_INPUTS

# The milliseconds of the fastest run of a command, before each run of which the wheel is put there anew, without a stamp.
milliseconds() { # milliseconds COMMAND [HYPERFINE_OPTION...]
  hyperfine --shell none --warmup 2 "${@:2}" --export-json h.json "$1" >log 2>&1 || { cat log >&2; exit 1; }
  python3 -c 'import json; print(json.load(open("h.json"))["results"][0]["min"] * 1000)'
}
anew=(--min-runs 10 --prepare "sh -c 'cp $wheel $name && sync $name'")
shown() { printf '%.*f ms' "$2" "$1"; }
percent() { python3 -c 'import sys; print(f"{100 * float(sys.argv[1]) / float(sys.argv[2]):.1f} %")' "$1" "$2"; }

step=$(milliseconds "sh -e launcher.sh" "${anew[@]}")
check=$(milliseconds "unzip -tqq $name" --min-runs 5)
launcher=$(milliseconds "sh -e launcher-alone.sh" --min-runs 50)
version=$(milliseconds "$wheelarch --version" --min-runs 50)
grep -q '^verdict=match$\|^match$' outputs || { cat outputs >&2; exit 1; }

echo "| gate, a wheel of $(du -BM --apparent-size "$wheel" | cut -f1) | time | of the step |"
echo "| --- | --- | --- |"
echo "| the step, from the start of its shell to the verdict | $(shown "$step" 0) | |"
echo "| the launcher alone: \`sh\`, the choice of the binary, a call for its version | $(shown "$launcher" 1) | $(percent "$launcher" "$step") |"
echo "| of these, the binary's start | $(shown "$version" 1) | $(percent "$version" "$step") |"
echo "| for comparison: \`unzip -t\` | $(shown "$check" 0) | $(percent "$check" "$step") |"
