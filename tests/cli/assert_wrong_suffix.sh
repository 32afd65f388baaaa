#!/usr/bin/env bash
# 9.0 was requested and 9.0a built: another arch, since its code runs on that device alone.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_90a.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90a compute_90a
  missing   sm_90 compute_90
  extra     sm_90a compute_90a
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90a compute_90a; 3 images in 1 region
      {80,90a+PTX}×1
error[wrong-suffix] $wheel: sm_90 compute_90 requested, found sm_90a compute_90a in pkg/_C.so: the suffix is part of the arch, and code with it runs on that device or family only
    fix: $(fix "8.0;9.0a+PTX")
EOT
  expect_exit 0 assert --arch-list "8.0;9.0a+PTX" "${ask[@]}" $wheel
}
each_witness scenario
