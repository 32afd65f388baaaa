#!/usr/bin/env bash
# Compiled for 8.0, linked by nvcc for 9.0: the device link leaves a sm_90 image without a kernel, which is no sm_90.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel stub_90.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;9.0" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_90
  observed  sm_80
  missing   sm_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80; 2 images (1 without a kernel) in 2 regions
      {80}×1
error[kernelless-arch] $wheel: sm_90 requested, but there only as images without a kernel, in pkg/_C.so: a device link adds them for the archs of its own command line, a source without kernels makes them, and nothing runs on them
    fix: $(fix "8.0")
EOT
  expect_exit 0 assert --arch-list "8.0" "${ask[@]}" $wheel
  expect_line out "notice[kernelless-extra] $wheel: sm_90 also there, as images without a kernel, in pkg/_C.so; they do not count"
}
each_witness scenario
