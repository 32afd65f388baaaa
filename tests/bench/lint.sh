#!/usr/bin/env bash
# Measures what docs/performance.md promises of lint, as ratios within one run, and prints a table. Not a test: machines
# are noisy.
#
#   lint.sh WHEELARCH FOLDER
#
# FOLDER is a tree of CUDA sources, large enough to take a second. All of it is read, vendored trees and tests, too. The
# yardsticks are grep for one word and wc, over the same files. Needs hyperfine and GNU time.
set -euo pipefail
wheelarch=$(realpath "$1") sources=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The processor's mean seconds for a command, after one run to warm the cache. Findings make lint exit with 1.
seconds() { hyperfine --ignore-failure --warmup 1 --min-runs "${runs:-5}" --export-json h.json "$1" >log 2>&1 || { cat log >&2; exit 1; }
  python3 -c 'import json; run = json.load(open("h.json"))["results"][0]; print(run["user"] + run["system"])'; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' "$1" "$2"; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

mkdir -p farm/packages src
ln -s "$sources" src/example
cat >farm/packages/_defaults.yml <<'YAML'
combinations: [{cuda: "12.8", pytorch: "2.8.0", python_versions: ["3.12"]}]
arch_policy: {"12.8": "8.0;8.6;9.0+PTX"}
ptx_tail: false
YAML
echo 'source_repo: example-org/example' >farm/packages/example.yml
lint="$wheelarch lint --farm farm --sources src --everything"
$lint --json lint.json >/dev/null || [ $? = 1 ]
read -r bytes files < <(python3 -c 'import json; one = json.load(open("lint.json"))["packages"][0]; print(one["bytes"], one["files"])')
find -L src -type f -regextype posix-extended \
  -regex '.*\.(cuh?|ptx|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|tpp|inc|py|cmake|sh|bash|toml|ya?ml)|.*/CMakeLists\.txt' -print0 >files

echo "| what | wheelarch | compared with | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
ours=$(seconds "$lint")
speed=$(python3 -c "print(round($bytes / 1e6 / $ours))")
words=$(seconds "wc --files0-from=files")
grep=$(seconds "xargs -0 grep -c __CUDA_ARCH__ <files")
row "lint $files files, $((bytes / 1000000)) MB" "${ours:0:6} s, $speed MB/s" "wc ${words:0:6} s" "$(ratio "$ours" "$words")" ">= 200 MB/s"
row "the same" "" "grep -c ${grep:0:6} s" "$(ratio "$ours" "$grep")" ""
/usr/bin/time -f %M -o peak sh -c "$lint" >log || [ $? = 1 ]
row "peak memory of it" "$(($(tail -1 peak) / 1024)) MiB" "" "" ""
