#!/usr/bin/env bash
# A wheel that holds what was requested passes.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so plain_host.so=pkg/_host.so

scenario() {
  expect_exit 0 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: match
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 6 images in 2 regions
      {80,90+PTX}×2
  host      1 binary without device code
EOT
}
each_witness scenario

# The same in CMake's and nvcc's notation.
expect_exit 0 assert --arch-list "80-real;90" --witness native $wheel
expect_exit 0 assert --arch-list "sm_80;sm_90;compute_90" --witness native $wheel
