#!/usr/bin/env bash
# A library made of sources without kernels: all of its images are empty, so nothing of what was requested is there.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel hostonly.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_90 compute_90
  observed  nothing
  missing   sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      nothing; 3 images (3 without a kernel) in 1 region
error[kernelless-arch] $wheel: sm_80 sm_90 compute_90 requested, but there only as images without a kernel, in pkg/_C.so: a device link adds them for the archs of its own command line, a source without kernels makes them, and nothing runs on them
    fix: find out why no kernel was compiled; or, if kernels are compiled at run time (NVRTC, Triton), declare it: --device-code none, in the package's YAML \`device_code: none\`
EOT
  expect_exit 0 assert --device-code none "${ask[@]}" $wheel
  expect_line out "notice[kernelless-extra] $wheel → pkg/_C.so: holds 3 images without a kernel, for sm_80 sm_90 compute_90; they do not count as device code"
}
each_witness scenario
