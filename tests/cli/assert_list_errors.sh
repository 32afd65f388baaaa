#!/usr/bin/env bash
# A list that no build could follow is bad usage, before any wheel is read: none is there.
. "$(dirname "$0")/lib.sh"

refused() { # refused LIST OPTION... <MESSAGE
  local list=$1
  shift
  expect_exit 2 assert --arch-list "$list" --witness native "$@" missing.whl
  expect_error
}
refused "7.0;8.0" --cuda 13.0 <<'EOT'
error: --arch-list: CUDA 13.0 has no target for 7.0 (sm_70); CUDA 9.0 to 12.9 have
    fix: take 7.0 out of the list for CUDA 13.0, or build with CUDA 12.9 or older
EOT
refused "8.0,9.0+PTX" <<'EOT'
error: --arch-list: "8.0,9.0+PTX" (item 1 of the arch list, column 1) is one item, for a comma does not separate: torch's cpp_extension refuses it: Unknown CUDA arch (8.0,9.0+PTX) or GPU not supported
    fix: did you mean 8.0;9.0+PTX?
EOT
refused "8.0;9.0.a" <<'EOT'
error: --arch-list: "9.0.a" (item 2 of the arch list, column 5) is not an arch: torch's cpp_extension refuses it: Unknown CUDA arch (9.0.a) or GPU not supported
    fix: did you mean 9.0a?
EOT
refused "8.0;90-real" <<'EOT'
error: --arch-list: "90-real" (item 2 of the arch list, column 5) is in CMake's notation, but item 1, "8.0", is in torch's: no build reads both in one list
    fix: write all of it in one notation: 8.0;9.0
EOT
refused "" <<'EOT'
error: nothing is requested
    fix: give --arch-list, for example --arch-list "8.0;9.0+PTX", or --device-code none, or a matrix row with an arch_list by --cell
EOT
