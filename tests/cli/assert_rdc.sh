#!/usr/bin/env bash
# Separable compilation keeps the PTX in the relocatable fatbin only: it counts, and the report says where it is.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel rdc.so=pkg/_C.so

scenario() {
  expect_exit 0 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: match
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 8 images in 3 regions
      relocatable {80,90+PTX}×2, {80,90}×1
notice[relocatable-only] $wheel: compute_90 only in the relocatable fatbin (__nv_relfatbin) of pkg/_C.so: the driver links it when the library is loaded
EOT
  expect_exit 1 assert --arch-list "8.0;9.0" "${ask[@]}" $wheel
  expect_line out "error[extra-arch] $wheel: compute_90 found in pkg/_C.so, but not requested"
}
each_witness scenario
