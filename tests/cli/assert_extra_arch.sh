#!/usr/bin/env bash
# One source was built for an arch that nobody asked for.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_extra_86.so=pkg/_C.so

scenario() {
  expect_exit 1 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_86 sm_90 compute_90
  extra     sm_86
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_86 sm_90 compute_90; 7 images in 2 regions
      {80,86,90+PTX}×1, {80,90+PTX}×1
error[extra-arch] $wheel: sm_86 found in pkg/_C.so, but not requested
    fix: $(fix "8.0;8.6;9.0+PTX")
warning[narrow-region] $wheel → pkg/_C.so: region 1 (offset OFFSET, _Z5scalePff) of 2: lacks sm_86, which other regions have
    fix: build every source for the whole list; --per-member makes this an error
EOT
}
each_witness scenario
