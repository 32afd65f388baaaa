#!/usr/bin/env bash
# Names of members are text of a stranger: they never make a workflow command, and never reach the terminal raw.
. "$(dirname "$0")/lib.sh"
need_fixtures
library=$fixtures/ext_narrow_b.so

zip_named $wheel '["::error::x.so", "  ::add-mask::1.so", "pkg/##[error]y.so", "pkg/QQ.so", "pkg/\u202egnp.so", "%0A::error::z.so"]' "$library"
expect_exit 0 inspect --images --witness native $wheel
expect_harmless out
expect_exit 1 assert --arch-list 8.0 --expect-member '##[error]y.so=8.0' --witness native $wheel
expect_harmless out
for shown in ': :error::x.so' '  : :add-mask::1.so' 'pkg/# #[error]y.so' 'pkg/\xff\xfe.so' 'pkg/\xe2\x80\xaegnp.so' '%0A::error::z.so'; do
  grep -qF "  extension $shown  elf" out || { cat out; fail "not shown: $shown"; }
done

# JSON keeps the names, but standard output is a log.
expect_exit 1 assert --arch-list 8.0 --witness native --json - $wheel
expect_no_command out
check_json out '[m["path"] for m in d["members"]][:3] == ["::error::x.so", "  ::add-mask::1.so", "pkg/##[error]y.so"]'

# Control characters are in no name that an installer takes.
for name in '\n::error::' '\r::error::' '\x1b[31m'; do
  zip_named $wheel "['pkg/$name.so']" "$library"
  expect_exit 3 assert --arch-list 8.0 --witness native $wheel
  expect_empty out
  expect_harmless err
  grep -q '^error: .* control characters in the member name' err || { cat err; fail "not refused: $name"; }
done
