#!/usr/bin/env bash
# Measures what docs/performance.md promises of audit, as ratios within one run, and prints a table. Not a test: machines are
# noisy.
#
#   audit.sh WHEELARCH LIBRARY WHEEL...
#
# The WHEELs are audited for throughput. LIBRARY is a shared object with device code, of which small wheels are made that
# show how memory grows with their number. Needs unzip, git, python3 and GNU time.
set -euo pipefail
wheelarch=$(realpath "$1") library=$(realpath "$2")
make_wheel=$(realpath "$(dirname "$0")/../nvcc/make_wheel.py")
shift 2
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$work"' EXIT
mkdir "$work/wheels" "$work/many"
for wheel in "$@"; do ln -s "$(realpath "$wheel")" "$work/wheels"; done
cd "$work"
git init -q farm
cores=$(nproc)

row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' "$1" "$2"; }
# audited FOLDER|FILE...: seconds and peak memory in KiB, of a run on all cores.
audited() {
  local rc=0
  /usr/bin/time -f '%e %M' -o timed "$wheelarch" audit --witness native --farm farm --json audit.json "$@" >log 2>&1 || rc=$?
  [ $rc -le 1 ] || { cat log >&2; exit 1; }
  tail -1 timed
}
best() { # best COMMAND...: the least seconds of three, after one to warm the cache
  "$@" >/dev/null
  for _ in 1 2 3; do "$@"; done | sort -n | head -1
}
unzipped() { { /usr/bin/time -f %e -o unzip.time sh -c "printf '%s\n' wheels/*.whl | xargs -P $cores -n 1 unzip -tqq"; } >log; cat unzip.time; }

echo "| what | wheelarch | compared with | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
ours=$(best audited wheels/*.whl) theirs=$(best unzipped)
row "audit $(find wheels -name '*.whl' | wc -l) wheels, $(du -LBM --apparent-size -c wheels/*.whl | tail -1 | cut -f1), on $cores cores" "${ours% *} s" \
  "unzip -t, $cores at once, $theirs s" "$(ratio "${ours% *}" "$theirs")" "about 1"

python3 - "$library" fat.so <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
with open(sys.argv[2], "wb") as file:
    for _ in range(max(1, (4 << 20) // len(data))):  # a library with bytes behind it that nothing reads
        file.write(data)
PYTHON
python3 "$make_wheel" many/one-1.0-py3-none-linux_x86_64.whl one 1.0 py3-none-linux_x86_64 fat.so=one/_C.so >log
for i in $(seq 1000); do cp many/one-1.0-py3-none-linux_x86_64.whl "many/one-1.0-$i-py3-none-linux_x86_64.whl"; done
rm many/one-1.0-py3-none-linux_x86_64.whl
for count in ${COUNTS:-10 100 1000}; do
  mkdir some
  for i in $(seq "$count"); do mv "many/one-1.0-$i-py3-none-linux_x86_64.whl" some; done
  read -r -a spent < <(audited some)
  row "peak memory, $count wheels of 4 MiB" "$((spent[1] / 1024)) MiB" "" "" "flat"
  mv some/* many
  rmdir some
done
