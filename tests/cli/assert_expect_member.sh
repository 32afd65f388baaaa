#!/usr/bin/env bash
# One extension is meant to differ: it is held to its own list and taken out of the union.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so ext_90a.so=pkg/_C_90a.so

scenario() {
  expect_exit 0 assert --arch-list "8.0;9.0+PTX" --expect-member '_C_90a*.so=8.0;9.0a+PTX' "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: match
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 6 images in 2 regions
      {80,90+PTX}×2
  extension pkg/_C_90a.so  elf, SIZE
      sm_80 sm_90a compute_90a; 3 images in 1 region
      {80,90a+PTX}×1
EOT
  expect_exit 1 assert --arch-list "8.0;9.0+PTX" --expect-member 'pkg/*90a.so=9.0a' "${ask[@]}" $wheel
  expect_line out "error[extra-arch] $wheel → pkg/_C_90a.so: sm_80 compute_90a found in pkg/_C_90a.so, but not requested"
  expect_line out "    fix: build with the requested list; or, if this is meant, declare it: --expect-member \"pkg/*90a.so=8.0;9.0a+PTX\", in the package's YAML \`expect_members: {\"pkg/*90a.so\": \"8.0;9.0a+PTX\"}\`"

  expect_exit 1 assert --arch-list "8.0;9.0+PTX" --expect-member 'other/*.so=9.0a' "${ask[@]}" $wheel
  expect_line out "error[unused-expectation] $wheel: no extension matches the expected member 'other/*.so'"
  expect_line out "error[extra-arch] $wheel: sm_90a compute_90a found in pkg/_C_90a.so, but not requested"
}
each_witness scenario

expect_exit 2 assert --arch-list 8.0 --expect-member '_C_90a.so' --witness native $wheel
expect_error <<'EOT'
error: --expect-member '_C_90a.so' is not GLOB=LIST
    fix: for example --expect-member 'pkg/_C_90a*.so=9.0a'
EOT
