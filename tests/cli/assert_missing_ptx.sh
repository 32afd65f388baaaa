#!/usr/bin/env bash
# `+PTX` was requested, and the wheel has SASS alone.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90
  missing   compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90; 2 images in 1 region
      {80,90}×1
error[missing-ptx] $wheel: compute_90 requested (+PTX), but no PTX of it is there: newer GPUs have nothing to compile
    fix: $(fix "8.0;9.0")
EOT
}
each_witness scenario
