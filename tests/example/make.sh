#!/usr/bin/env bash
# Makes the example wheels of this folder from tests/nvcc/src: real nvcc output, each small enough to be committed.
#
#   tests/example/make.sh [OUTDIR]      (default: this folder)
#
# Environment: NVCC (default: the one that .ci/setup installs), CXX (g++). No GPU is needed. README.md beside this file
# says what each wheel holds; the documentation's examples run on them. The same tools give the same bytes.
# shellcheck disable=SC2046  # sass and ptx print several flags on purpose
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
src=$root/tests/nvcc/src
out=$(cd "${1:-$here}" && pwd)
nvcc=${NVCC:-$(echo "$root"/build/venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)}
cxx=${CXX:-g++}
[ -x "$nvcc" ] || { echo "make.sh: no nvcc at $nvcc: run .ci/setup or set NVCC" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

sass() { printf -- '-gencode=arch=compute_%s,code=sm_%s ' "$1" "$1"; }
ptx() { printf -- '-gencode=arch=compute_%s,code=compute_%s ' "$1" "$1"; }
compile() {  # compile OBJECT SOURCE FLAGS...
  local object=$1 source=$2
  shift 2
  "$nvcc" -c -Xcompiler=-fPIC "$@" "$src/$source" -o "$object"
}
link() { "$cxx" -shared -Wl,-s -Wl,--build-id=none -o "$@"; }  # link LIBRARY OBJECT...
pack() {  # pack NAME FILE=ARCNAME...
  local name=$1
  shift
  python3 "$root/tests/nvcc/make_wheel.py" "$out/$name-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl" \
    "$name" 1.0+cu130torch2.9 cp312-cp312-linux_x86_64 "$@"
}

# As it should be: two sources, both for 8.0 and 9.0+PTX.
compile a.o a.cu $(sass 80) $(sass 90) $(ptx 90)
compile b.o b.cu $(sass 80) $(sass 90) $(ptx 90)
link good.so a.o b.o
pack example_pkg good.so=example_pkg/_C.so

# Compiled for 8.0; the device link names 9.0 and adds a cubin without a kernel.
compile a80.o a.cu $(sass 80)
"$nvcc" -dlink -Xcompiler=-fPIC $(sass 90) a80.o -o stub.o
link stub.so a80.o stub.o
pack stub_pkg stub.so=stub_pkg/_C.so

# Relocatable code for 8.0 and 9.0+PTX of which the device link took 8.0 only.
compile fn.o device_fn.cu -rdc=true $(sass 80) $(sass 90) $(ptx 90)
compile call.o device_call.cu -rdc=true $(sass 80) $(sass 90) $(ptx 90)
"$nvcc" -dlink -Xcompiler=-fPIC $(sass 80) fn.o call.o -o linked.o
link rdc.so fn.o call.o linked.o
pack rdc_pkg rdc.so=rdc_pkg/_C.so

# One source of _C.so, and all of _ops.so, for 8.0 only.
compile b80.o b.cu $(sass 80)
link narrow.so a.o b80.o
link ops.so b80.o
pack narrow_pkg narrow.so=narrow_pkg/_C.so ops.so=narrow_pkg/_ops.so

# No device code in its own library; beside it a file named like a library that is none, and a packed one.
link host.so -fPIC "$src/plain_host.cpp"
echo "not a library" >broken.so
gzip -n -9 -c host.so >host.so.gz
pack host_pkg host.so=host_pkg/_C.so broken.so=host_pkg/_broken.so host.so.gz=host_pkg/data.gz

# A cubin of sm_80 that is filed as sm_86: fatbinary refuses to make one, so the number in the entry header is changed.
"$nvcc" -fatbin $(sass 80) "$src/a.cu" -o refiled.fatbin
printf '\126\0\0\0' | dd of=refiled.fatbin bs=1 seek=$((0x10 + 0x1c)) conv=notrunc status=none
pack refiled_pkg refiled.fatbin=refiled_pkg/kernels.fatbin
