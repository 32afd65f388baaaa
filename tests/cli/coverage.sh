#!/usr/bin/env bash
# Which GPUs run a wheel: natively, by JIT, or not at all, which is exit 1 for a GPU that was named.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so

expect_exit 0 coverage --witness native --gpu 8.6 --gpu 12.0 --json report.json $wheel
check_json report.json 'd["schema"] == 1 and d["sass"] == ["sm_80", "sm_90"] and d["ptx"] == ["compute_90"]' \
  '[(g["compute_capability"], g["coverage"], g["by"]) for g in d["gpus"]] == [("8.6", "native", "sm_80"), ("12.0", "jit", "compute_90")]'
expect_exit 1 coverage --witness native --gpu 7.5 $wheel
expect_exit 1 coverage --arch-list "8.0;8.6" --gpu H100
expect_exit 0 coverage --arch-list "8.0;8.6+PTX" --gpu H100
expect_exit 2 coverage --gpu H100
expect_exit 3 coverage --gpu H100 missing.whl

# There is no answer for an embedded device that has no code of its own (U10).
expect_exit 3 coverage --arch-list "8.0;9.0" --gpu "Jetson Orin"
expect_line out "    fix: add 8.7 to the arch list, or try the wheel on the device"
expect_exit 0 coverage --arch-list "8.0;8.7" --gpu "Jetson Orin"
expect_exit 0 coverage --arch-list "8.0;9.0"
! grep -q "fix:" out || fail "a table of all GPUs gives no advice"
