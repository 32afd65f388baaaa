#!/usr/bin/env bash
# GitHub shows ten annotations of a kind per step: a run never has more, of one wheel or of many, and says how many remain.
. "$(dirname "$0")/lib.sh"
need_fixtures
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md

expect_capped() { # expect_capped KIND TOTAL: ten at most are shown, and the last says how many more there are
  local shown more
  shown=$(annotations | grep -c "^::$1 " || true)
  more=$(annotations | sed -n "s/^::$1 title=wheelarch::\([0-9]*\) more; the job summary and the log have all$/\1/p")
  [ "$shown" -le 10 ] || fail "$shown annotations of kind $1"
  [ $((shown - 1 + more)) = "$2" ] || fail "$shown annotations and '$more' more do not make $2"
}
members=(ext_two_tu.so=pkg/_C.so)
for i in $(seq 12); do members+=("ext_no_ptx.so=pkg/_narrow_$i.so"); done
wheel "${members[@]}"
expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness native $wheel
expect_capped warning 12
[ "$(grep -c '^warning\[narrow-member\]' out)" = 12 ] || fail "the log does not have all"
[ "$(grep -c '^- \*\*warning\*\*' summary.md)" = 12 ] || fail "the summary does not have all"

mkdir many
for i in $(seq 14); do wheel_named "many/pkg$i-1.0-py3-none-linux_x86_64.whl" ext_no_ptx.so=pkg/_C.so; done
expect_exit 1 assert --arch-list 8.0 --witness native many
expect_capped error 14
for i in $(seq 7); do echo text >"many/pkg$i-1.0-py3-none-linux_x86_64.whl"; done
expect_exit 3 assert --arch-list 8.0 --witness native many
expect_capped error 14
