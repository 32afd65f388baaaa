#!/usr/bin/env bash
# Measures what docs/performance.md promises, as ratios within one run, and prints a table. Not a test: machines are noisy.
#
#   run.sh WHEELARCH CUOBJDUMP LIBRARY WHEEL
#
# LIBRARY is a large shared object with device code, WHEEL a large wheel. Needs hyperfine, unzip, python3 and GNU time.
set -euo pipefail
wheelarch=$(realpath "$1") cuobjdump=$(realpath "$2") library=$(realpath "$3") wheel=$(realpath "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The mean seconds of a command over some runs, after one to warm the cache.
seconds() { hyperfine --warmup 1 --min-runs "${runs:-3}" --export-json "$work/h.json" "$1" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
  python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["results"][0]["mean"])' "$work/h.json"; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' "$1" "$2"; }
megabytes() { du -BM --apparent-size "$1" | cut -f1; }
peak() { /usr/bin/time -f %M -o "$work/peak" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  echo $(($(cat "$work/peak") / 1024)); }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# A wheel with one deflated member of SIZE MiB: the library, padded with its own bytes into a section that nothing reads.
wheel_of() { # SIZE
  python3 - "$library" "$1" "$work/big-1.0-py3-none-any.whl" <<'PYTHON'
import sys, zipfile
library, size, out = open(sys.argv[1], "rb").read(), int(sys.argv[2]) << 20, sys.argv[3]
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    with archive.open("big/big.so", "w", force_zip64=True) as member:
        member.write(library)
        left = size - len(library)
        while left > 0:
            left -= member.write(library[: min(left, 1 << 24)])
PYTHON
}

echo "| what | wheelarch | compared with | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
ours=$(seconds "$wheelarch inspect --witness native $library")
theirs=$(runs=2 seconds "sh -c '$cuobjdump --list-elf $library && $cuobjdump --list-ptx $library'")
row "inspect $(basename "$library"), $(megabytes "$library")" "${ours:0:6} s" "cuobjdump's two lists ${theirs:0:6} s" "$(ratio "$theirs" "$ours")" ">= 50"
ours=$(seconds "$wheelarch inspect --witness native $wheel")
theirs=$(seconds "unzip -tqq $wheel")
row "inspect a wheel of $(megabytes "$wheel")" "${ours:0:6} s" "unzip -t ${theirs:0:6} s" "$(ratio "$ours" "$theirs")" "<= 1.2"
for size in 256 1024 2048; do
  wheel_of "$size"
  row "peak memory, one member of $size MiB" "$(peak "$wheelarch" inspect --witness native "$work"/big-*.whl) MiB" "" "" "<= 200 MiB"
done
