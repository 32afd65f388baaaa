#!/usr/bin/env bash
# The Windows program says of a wheel what that of Linux says, byte for byte, and without carriage returns.
. "$(dirname "$0")/windows_lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so plain_host.so=pkg/_host.so
made_wheel . win 1.0 cp312-cp312-win_amd64 pe_short_name.pyd=win/_C.pyd
for file in $wheel win-1.0-cp312-cp312-win_amd64.whl; do
  expect_as_linux 0 inspect --witness native "$file"
  expect_as_linux 0 inspect --witness native --json - "$file"
done
expect_as_linux 0 assert --arch-list "8.0;9.0+PTX" --witness native $wheel
expect_as_linux 1 assert --arch-list "8.0" --witness native $wheel
expect_as_linux 2 assert --arch-list "8.0;x" --witness native $wheel
expect_as_linux 3 inspect --witness native absent.whl
! grep -q $'\r' out err || fail "a carriage return"

# Standard input and what git's autocrlf makes of a row.
printf '{"package": "pkg",\r\n "version": "1.0",\r\n "arch_list": "8.0;9.0+PTX"}\r\n' >row.json
expect_as_linux 0 assert --cell row.json --witness native $wheel
"$WHEELARCH" assert --cell - --witness native $wheel <row.json >from_stdin || fail "a row from standard input"
cmp out from_stdin >&2 || fail "the row from standard input is not the same"
