#!/usr/bin/env bash
# Makes the wheel in before/: example_pkg as it was built before the list of this farm was widened, for 8.0+PTX. The wheel
# of tests/example has the same name, and is the one that is built after it.
#
#   docs/example-farm/make.sh [OUTDIR]      (default: before/)
#
# Environment: NVCC (default: the one that .ci/setup installs), CXX (g++). The same tools give the same bytes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(cd "${1:-$here/before}" && pwd)
nvcc=${NVCC:-$(echo "$root"/build/venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)}
[ -x "$nvcc" ] || { echo "make.sh: no nvcc at $nvcc: run .ci/setup or set NVCC" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$nvcc" -c -Xcompiler=-fPIC -gencode=arch=compute_80,code='[sm_80,compute_80]' "$root/tests/nvcc/src/a.cu" -o a.o
"${CXX:-g++}" -shared -Wl,-s -Wl,--build-id=none -o _C.so a.o
python3 "$root/tests/nvcc/make_wheel.py" "$out/example_pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl" \
  example_pkg 1.0+cu130torch2.9 cp312-cp312-linux_x86_64 _C.so=example_pkg/_C.so
