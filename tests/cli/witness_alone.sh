#!/usr/bin/env bash
# `--witness cuobjdump` goes by its list alone, which cannot tell kernel-less images apart.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_cuobjdump
wheel stub_90.so=pkg/_C.so

expect_exit 0 assert --arch-list "8.0;9.0" --witness cuobjdump --cuobjdump "$cuobjdump" $wheel
expect_line out "  witnesses cuobjdump"
expect_exit 1 assert --arch-list "8.0" --witness cuobjdump --cuobjdump "$cuobjdump" $wheel
expect_line out "error[extra-arch] $wheel: sm_90 found in pkg/_C.so, but not requested"
