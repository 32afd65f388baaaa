#!/usr/bin/env bash
# Builds the real device-code fixtures: what nvcc, g++, ar and the mingw linker make of src/.
#
#   build_fixtures.sh OUTDIR
#
# Environment: NVCC (default: nvcc on PATH), CXX (g++), JOBS (2), MINGW_CC
# (x86_64-w64-mingw32-gcc; without it the two .pyd are left out, which is said). EXPECTED.tsv beside this file
# says what each fixture holds. No GPU is needed. An extension is linked without the CUDA runtime, so its symbols
# stay undefined and the files small; nothing here is ever loaded.
# shellcheck disable=SC2046  # sass and ptx print several flags on purpose
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
src=$here/src
out=${1:?usage: build_fixtures.sh OUTDIR}
mkdir -p "$out"
out=$(cd "$out" && pwd)
nvcc=${NVCC:-nvcc}
cxx=${CXX:-g++}
mingw=${MINGW_CC:-x86_64-w64-mingw32-gcc}
command -v "$nvcc" >/dev/null || { echo "build_fixtures.sh: no nvcc: set NVCC" >&2; exit 1; }

# A pip-installed toolkit has lib/, while nvcc.profile names lib64/.
cuda_lib=$(cd "$(dirname "$(command -v "$nvcc")")/../lib" 2>/dev/null && pwd || true)
link_dir=()
[ -z "$cuda_lib" ] || link_dir=(-L"$cuda_lib")

obj=$(mktemp -d)
trap 'rm -rf "$obj"' EXIT

sass() { printf -- '-gencode=arch=compute_%s,code=sm_%s ' "$1" "$1"; }
ptx() { printf -- '-gencode=arch=compute_%s,code=compute_%s ' "$1" "$1"; }

compile() {  # compile NAME SOURCE FLAGS... -> $obj/NAME.o
  local name=$1 source=$2
  shift 2
  "$nvcc" -c -Xcompiler=-fPIC "$@" "$src/$source" -o "$obj/$name.o"
}
host_link() {  # host_link NAME.so OBJECT... with the host linker: adds no device code
  local name=$1
  shift
  local objects=()
  for o in "$@"; do objects+=("$obj/$o.o"); done
  "$cxx" -shared -Wl,-s "${objects[@]}" -o "$out/$name"
}
device_link() {  # device_link NAME.so FLAGS... OBJECT.o...: nvcc links, and adds what its device link makes
  local name=$1
  shift
  "$nvcc" -shared -Xcompiler=-fPIC "${link_dir[@]}" "$@" -o "$out/$name"
}

# Each group is one job: a function that makes one or more fixtures from its own objects.
group_extensions() {
  compile a_80_90_p90 a.cu $(sass 80) $(sass 90) $(ptx 90)
  compile b_80_90_p90 b.cu $(sass 80) $(sass 90) $(ptx 90)
  host_link ext_two_tu.so a_80_90_p90 b_80_90_p90
  compile b_80 b.cu $(sass 80)
  host_link ext_narrow_b.so a_80_90_p90 b_80
  compile b_80_86_90_p90 b.cu $(sass 80) $(sass 86) $(sass 90) $(ptx 90)
  host_link ext_extra_86.so a_80_90_p90 b_80_86_90_p90
  cp "$obj/a_80_90_p90.o" "$out/object.o"
  rm -f "$out/archive.a"
  (cd "$obj" && cp a_80_90_p90.o a.o && cp b_80.o a_member_with_a_long_name.o &&
    ar crs "$out/archive.a" a.o a_member_with_a_long_name.o)
}
group_no_ptx() {
  compile a_80_90 a.cu $(sass 80) $(sass 90)
  host_link ext_no_ptx.so a_80_90
}
group_90a() {
  compile a_80_90a a.cu $(sass 80) $(sass 90a) $(ptx 90a)
  host_link ext_90a.so a_80_90a
}
group_stub() {
  compile stub_80 a.cu $(sass 80)
  device_link stub_90.so $(sass 90) "$obj/stub_80.o"
  device_link stub_default.so "$obj/stub_80.o"
  device_link stub_none.so $(sass 80) "$obj/stub_80.o"
}
group_rdc() {
  compile rdc_fn device_fn.cu -rdc=true $(sass 80) $(sass 90) $(ptx 90)
  compile rdc_call device_call.cu -rdc=true $(sass 80) $(sass 90) $(ptx 90)
  device_link rdc.so $(sass 80) $(sass 90) "$obj/rdc_fn.o" "$obj/rdc_call.o"
  cp "$obj/rdc_call.o" "$out/rdc_object.o"
}
group_lto() {
  compile lto a.cu -rdc=true -gencode=arch=compute_90,code=lto_90
  cp "$obj/lto.o" "$out/lto.o"
  compile lto_mixed a.cu -rdc=true $(sass 80) -gencode=arch=compute_90,code=lto_90
  cp "$obj/lto_mixed.o" "$out/lto_mixed.o"
}
group_kernelless() {
  compile hostonly hostonly.cu $(sass 80) $(sass 90) $(ptx 90)
  host_link hostonly.so hostonly
  compile dataonly dataonly.cu $(sass 80) $(sass 90) $(ptx 90)
  host_link dataonly.so dataonly
  "$cxx" -shared -fPIC "$src/plain_host.cpp" -o "$out/plain_host.so"
}
group_compression() {
  for mode in size speed none; do
    compile "c_$mode" a.cu --compress-mode="$mode" $(sass 80) $(sass 90) $(ptx 90)
    host_link "compress_$mode.so" "c_$mode"
  done
}
group_debug() {
  compile debug_G a.cu -G $(sass 80) $(sass 90) $(ptx 90)
  host_link debug_G.so debug_G
  compile lineinfo a.cu -lineinfo $(sass 80) $(sass 90) $(ptx 90)
  host_link lineinfo.so lineinfo
}
group_variants() {
  compile variants a.cu $(sass 100f) $(sass 100a) $(sass 120a) $(ptx 120f)
  host_link variants.so variants
  compile all_majors a.cu $(sass 75) $(sass 80) $(sass 90) $(sass 100) $(sass 120) $(ptx 120)
  host_link all_majors.so all_majors
}
group_loose() {
  "$nvcc" -cubin -arch=sm_90a "$src/a.cu" -o "$out/loose_90a.cubin"
  "$nvcc" -ptx -arch=compute_86 "$src/a.cu" -o "$out/loose_86.ptx"
  "$nvcc" -fatbin $(sass 80) $(sass 90) $(ptx 90) "$src/a.cu" -o "$out/loose_80_90.fatbin"
  pe_images "$out/loose_80_90.fatbin"
}
group_gated() {
  compile gated gated.cu $(sass 80) $(sass 86) $(sass 90) $(ptx 90)
  host_link gated.so gated
}
pe_images() {  # pe_images FATBIN: one image keeps the long section name, the stripped one has it cut to 8 bytes
  if ! command -v "$mingw" >/dev/null; then
    echo "build_fixtures.sh: no $mingw: pe_long_name.pyd and pe_short_name.pyd are left out"
    return
  fi
  "$mingw" -c -DFATBIN="\"$1\"" "$src/pe_fatbin.S" -o "$obj/pe_fatbin.o"
  "$mingw" -c "$src/pe_host.c" -o "$obj/pe_host.o"
  "$mingw" -shared -nostdlib -Wl,--entry=0,--enable-long-section-names "$obj/pe_host.o" "$obj/pe_fatbin.o" \
    -o "$out/pe_long_name.pyd"
  "$mingw" -shared -nostdlib -Wl,--entry=0 -s "$obj/pe_host.o" "$obj/pe_fatbin.o" -o "$out/pe_short_name.pyd"
}

groups=(extensions variants compression stub rdc debug lto kernelless loose 90a gated no_ptx)
running=0
failed=0
for group in "${groups[@]}"; do
  if [ "$running" -ge "${JOBS:-2}" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
  ("group_$group" || { echo "build_fixtures.sh: group $group failed" >&2; exit 1; }) &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
[ "$failed" -eq 0 ] || exit 1
echo "build_fixtures.sh: $(find "$out" -maxdepth 1 -type f | wc -l) files in $out"
