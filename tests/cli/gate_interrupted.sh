#!/usr/bin/env bash
# A run that ended between stamp and entry is completed by the next; one that could write nothing left all as it was.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
gate=(gate --arch-list "8.0;9.0" --witness native --json result.json)
wheel ext_no_ptx.so=pkg/_C.so
cp $wheel unstamped.whl

mkdir -p $wheel.ledger.json/x # in the entry's way
remember $wheel
expect_exit 3 "${gate[@]}" $wheel
grep -q "^error: $wheel.ledger.json: " err || { cat err >&2; fail "the entry is not named"; }
expect_unchanged
rm -r $wheel.ledger.json

expect_exit 0 "${gate[@]}" $wheel
stamped=$(sha256sum <$wheel)
rm $wheel.ledger.json # as if it had not been written
expect_exit 0 "${gate[@]}" $wheel
expect_line out "$wheel: stamped already, not changed"
[ "$(sha256sum <$wheel)" = "$stamped" ] || fail "the wheel was changed"
check_json result.json 'd["verdict"] == "match" and d["stamped"]["changed"] is False'
check_json $wheel.ledger.json 'd["wheel"]["sha256"] == "'"${stamped%% *}"'"'
cp $wheel interrupted.whl

# An entry of an earlier run is not taken for one of a wheel that does not hold.
expect_exit 1 gate --arch-list "8.0" --witness native $wheel
expect_no_file $wheel.ledger.json

# It is the same as without the interruption.
cp unstamped.whl $wheel
expect_exit 0 "${gate[@]}" $wheel
cmp $wheel interrupted.whl || fail "the interruption made a difference"

# Killed at any moment: the wheel is the old or the new one, and the next run completes it.
for ((i = 0; i < 20; i++)); do
  cp unstamped.whl $wheel
  rm -f $wheel.ledger.json
  timeout -s KILL "0.0$((i / 2))$((i % 2 * 5))" "$WHEELARCH" "${gate[@]}" $wheel >out 2>err || true
  cmp -s $wheel unstamped.whl || cmp -s $wheel interrupted.whl || fail "the wheel is neither old nor new"
  expect_exit 0 "${gate[@]}" $wheel
  cmp $wheel interrupted.whl || fail "not completed"
done
