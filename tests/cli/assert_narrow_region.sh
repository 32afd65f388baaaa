#!/usr/bin/env bash
# One of two sources was built for less: the union is right, so it is a warning, and an error with --per-member.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_narrow_b.so=pkg/_C.so

scenario() {
  expect_exit 0 assert --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: match
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 4 images in 2 regions
      {80}×1, {80,90+PTX}×1
warning[narrow-region] $wheel → pkg/_C.so: region 2 (offset OFFSET, _Z3addPfPKf) of 2: lacks sm_90 compute_90, which other regions have
    fix: build every source for the whole list; --per-member makes this an error
EOT
  # The offset leads to the region: a fatbin begins with its magic number.
  offset=$(sed -n 's/.*region 2 (offset \(0x[0-9a-f]*\), .*/\1/p' out)
  [ "$(od -An -tx4 -j $((offset)) -N 4 "$fixtures/ext_narrow_b.so")" = " ba55ed50" ] || fail "no fatbin at $offset"

  expect_exit 1 assert --per-member --arch-list "8.0;9.0+PTX" "${ask[@]}" $wheel
  expect_line out "$wheel: MISMATCH"
  expect_line out "    fix: build every source for the whole list; or run without --per-member"
}
each_witness scenario
