#!/usr/bin/env bash
# An arch that was requested is in no image.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;8.6;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_86 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  missing   sm_86
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 6 images in 2 regions
      {80,90+PTX}×2
error[missing-arch] $wheel: sm_86 requested, but no image of it is there; 8.6 devices load sm_80
    fix: $(fix "8.0;9.0+PTX")
EOT
}
each_witness scenario
