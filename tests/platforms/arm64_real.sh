#!/usr/bin/env bash
# The program for arm64 says of every fixture, and of a wheel that it stamps, what that for x86-64 says, byte for byte.
#
#   WHEELARCH_ARM64  the program under test; default dist/linux-arm64/wheelarch
. "$(dirname "$0")/../cli/lib.sh"
need_fixtures
need qemu-aarch64-static
program=${WHEELARCH_ARM64:-$root/dist/linux-arm64/wheelarch}
[ -f "$program" ] || lacking "$program: run .ci/build-dist"
arm64() { qemu-aarch64-static "$program" "$@"; }
same() { # same CODE ARGUMENT...
  local found=0
  expect_exit "$@"
  arm64 "${@:2}" >out.arm64 2>err.arm64 </dev/null || found=$?
  [ "$found" = "$code" ] || { cat err.arm64 >&2; fail "exit $found on arm64, $code on x86-64: wheelarch ${*:2}"; }
  cmp out out.arm64 >&2 || { diff out out.arm64 >&2; fail "standard output differs"; }
  cmp err err.arm64 >&2 || { diff err err.arm64 >&2; fail "standard error differs"; }
}
ln -s "$fixtures" fixtures
for file in fixtures/*.{so,pyd,o,a,fatbin,cubin,ptx}; do
  same 0 inspect --witness native --json - "$file"
done
wheel ext_two_tu.so=pkg/_C.so plain_host.so=pkg/_host.so
same 0 assert --arch-list "8.0;9.0+PTX" --witness native $wheel
same 1 assert --arch-list "8.0" --witness native $wheel
need_cuobjdump
same 0 assert --arch-list "8.0;9.0+PTX" --witness both "--cuobjdump=$cuobjdump" $wheel

mkdir other
cp $wheel other
expect_exit 0 gate --arch-list "8.0;9.0+PTX" --witness native $wheel
(cd other && arm64 gate --arch-list "8.0;9.0+PTX" --witness native $wheel >../out.arm64) || { cat out.arm64 >&2; fail "gate on arm64"; }
cmp out out.arm64 >&2 || fail "gate says another thing"
cmp $wheel other/$wheel >&2 || fail "gate stamps in another way"
