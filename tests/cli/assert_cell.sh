#!/usr/bin/env bash
# assert by a matrix row alone: its list is what is held against the wheel, its CUDA release what could be built.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
by_row() { # by_row EXIT ROW
  echo "$2" >row.json
  expect_exit "$1" assert --witness native --cell row.json --json result.json $wheel
}
by_row 0 '{"arch_list": "8.0;9.0", "cuda": "12.8", "pytorch": "2.8.0"}'
check_json result.json 'd["verdict"] == "match" and d["requested"]["arch_list"] == "8.0;9.0"'
by_row 1 '{"arch_list": "8.0 8.6 9.0"}'
check_json result.json 'd["verdict"] == "mismatch" and d["missing"]["sass"] == ["sm_86"]'
by_row 2 '{"arch_list": "7.0;8.0;9.0", "cuda": "13.0"}'
grep -q '^error: arch_list of the matrix row: ' err || { cat err >&2; fail "an arch that CUDA 13 cannot build"; }
by_row 2 '{"arch_list": "8.0,9.0"}'
grep -q '^error: arch_list of the matrix row: ' err || { cat err >&2; fail "a list that torch refuses"; }
by_row 2 '{"arch_list": "8.0;9.0", "cuda": "x.y"}'
grep -q '^error: .*CUDA version' err || { cat err >&2; fail "which input?"; }
by_row 2 '{"cuda": "12.8"}'
