#!/usr/bin/env bash
# Measures what docs/performance.md promises of policy commands, and how the cost grows, and prints a table. Not a test:
# machines are noisy.
#
#   plan.sh WHEELARCH
#
# Needs git, hyperfine, python3 and GNU time.
set -euo pipefail
wheelarch=$(realpath "$1")
plan_entries=$(realpath "$(dirname "$0")/../cli/plan_entries.py")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work GIT_CONFIG_NOSYSTEM=1

milliseconds() { hyperfine --warmup "${warmup:-1}" --min-runs "${runs:-5}" --export-json h.json "$1" >log 2>&1 || { cat log >&2; exit 1; }
  python3 -c 'import json; print(round(json.load(open("h.json"))["results"][0]["mean"] * 1000))'; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.1f}")' "$1" "$2"; }
peak() { # in MiB
  # shellcheck disable=SC2086
  /usr/bin/time -f %M -o peak $1 >log 2>&1 || { cat log >&2; exit 1; }
  echo $(($(cat peak) / 1024)); }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# farm TIMES: a farm of 30,000 cells times that, of 50 packages times that; 7,000 times that are published and recorded.
farm() {
  mkdir -p "farm-$1/packages"
  git init -q "farm-$1"
  python3 - "farm-$1/packages" $(($1 * 50)) <<'PYTHON'
import sys
folder, packages = sys.argv[1], int(sys.argv[2])
cudas = ["12.4", "12.6", "12.8", "12.9", "13.0"]
with open(f"{folder}/_defaults.yml", "w") as file:
    print("build_epoch: 1\nplatforms: [linux, windows, linux_aarch64]\ncombinations:", file=file)
    for cuda in cudas:
        for torch in range(4, 12):
            print(f'  - {{cuda: "{cuda}", pytorch: "2.{torch}.0", python_versions: ["3.10", "3.11", "3.12", "3.13", "3.14"]}}', file=file)
    for key in "arch_policy", "arch_policy_aarch64":
        print(f"{key}:", *(f'  "{cuda}": "8.0;8.6;9.0+PTX"' for cuda in cudas), sep="\n", file=file)
for number in range(packages):
    with open(f"{folder}/pkg{number}.yml", "w") as file:
        print(f'name: pkg{number}\nversion: "1.0"\nsource_repo: example-org/pkg{number}\nsource_tag: v1', file=file)
PYTHON
  "$wheelarch" matrix --farm "farm-$1" --all --output "all-$1.json" >log 2>&1
  python3 "$plan_entries" "all-$1.json" "entries-$1" $(($1 * 7000)) >"names-$1"
  head -$(($1 * 7000)) "names-$1" >"assets-$1"
  "$wheelarch" ledger collect "entries-$1" --farm "farm-$1" >log
}

for times in 1 10; do farm $times; done
echo "| what | 30,000 cells, 7,000 wheels | ten times as many | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
measure() { # measure NAME WANTED COMMAND: with TIMES for 1 and 10
  local one ten
  one=$(milliseconds "${3//TIMES/1}")
  ten=$(warmup=0 runs=2 milliseconds "${3//TIMES/10}")
  row "$1" "$one ms, $(peak "${3//TIMES/1}") MiB" "$ten ms, $(peak "${3//TIMES/10}") MiB" "$(ratio "$ten" "$one")" "$2"
}
measure "matrix, at the first epoch" "< 1000 ms" "$wheelarch matrix --farm farm-TIMES --existing assets-TIMES --output out.json"
measure "matrix --from" "< 1000 ms" "$wheelarch matrix --farm farm-TIMES --existing assets-TIMES --from all-TIMES.json --output out.json"
for times in 1 10; do sed -i 's/^build_epoch: 1/build_epoch: 2/' "farm-$times/packages/_defaults.yml"; done
measure "matrix, by the ledger's epochs" "< 1000 ms" "$wheelarch matrix --farm farm-TIMES --existing assets-TIMES --output out.json"
measure "plan after a bump" "< 1000 ms" "$wheelarch plan --farm farm-TIMES --output out.json --json plan.json"
measure "plan --changed-only --dry-run" "< 1000 ms" "$wheelarch plan --farm farm-TIMES --changed-only --dry-run --output out.json"
