#!/usr/bin/env bash
# Measures what docs/performance.md promises of stamp and gate, as ratios within one run, and prints a table. Not a test:
# machines are noisy.
#
#   stamp.sh WHEELARCH WHEEL
#
# WHEEL is a large wheel. Needs hyperfine, unzip and GNU time.
set -euo pipefail
wheelarch=$(realpath "$1") wheel=$(realpath "$2")
name=$(basename "$wheel")
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$work"' EXIT
cd "$work"

# The mean seconds of a command, before each of which the wheel is put there anew.
seconds() { hyperfine --warmup 1 --min-runs 3 --prepare "cp $wheel $name && sync" --export-json h.json "$1" >log 2>&1 ||
  { cat log >&2; exit 1; }
  python3 -c 'import json; print(json.load(open("h.json"))["results"][0]["mean"])'; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' "$1" "$2"; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

echo "| what | wheelarch | compared with | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
copy=$(seconds "sh -c 'cp $name copy.whl && sync copy.whl'")
check=$(seconds "unzip -tqq $name")
stamp=$(seconds "$wheelarch stamp --witness native $name")
row "stamp a wheel of $(du -BM --apparent-size "$wheel" | cut -f1), RECORD checked" "${stamp:0:6} s" \
  "unzip -t ${check:0:6} s, cp and sync ${copy:0:6} s" "$(ratio "$stamp" "$(python3 -c "print($check + $copy)")")" "<= 1.2"
cp "$wheel" "$name"
/usr/bin/time -f %M -o peak "$wheelarch" stamp --witness native "$name" >log
row "peak memory of it" "$(($(cat peak) / 1024)) MiB" "" "" "<= 200 MiB"
