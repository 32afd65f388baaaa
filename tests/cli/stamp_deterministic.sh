#!/usr/bin/env bash
# The same wheel, inputs and SOURCE_DATE_EPOCH give the same bytes, wherever and whenever; its odd values are bearable.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
wheel ext_no_ptx.so=pkg/_C.so
cp $wheel unstamped
time_of_stamp() { unzip -ZT $wheel | sed -nE 's/.* ([0-9]{8}\.[0-9]{6}) .*_build_info\.json/\1/p'; }
stamp() { # stamp EPOCH
  cp unstamped $wheel
  SOURCE_DATE_EPOCH=$1 expect_exit 0 stamp --witness native --arch-list "8.0;9.0" $wheel
}
stamp 1700000000
cp $wheel first
mkdir elsewhere
cp unstamped elsewhere/$wheel
touch -d 2001-01-01 elsewhere/$wheel
(cd elsewhere && umask 077 && TZ=Asia/Tokyo LC_ALL=C SOURCE_DATE_EPOCH=1700000000 "$WHEELARCH" stamp --witness native --arch-list "8.0;9.0" $wheel >/dev/null)
cmp first elsewhere/$wheel || fail "another folder, time and zone make a difference"
[ "$(stat -c %a elsewhere/$wheel)" = "$(stat -c %a unstamped)" ] || fail "the wheel's mode was changed"
[ "$(time_of_stamp)" = 20231114.221320 ] || fail "the stamp is of $(time_of_stamp)"

# Stamped before or not, the result is the same.
SOURCE_DATE_EPOCH=1700000000 expect_exit 0 stamp --witness native --arch-list "8.0" $wheel
! cmp -s first $wheel || fail "another list makes no difference"
SOURCE_DATE_EPOCH=1700000000 expect_exit 0 stamp --witness native --arch-list "8.0 9.0" $wheel
cmp first $wheel || fail "an earlier stamp makes a difference"

for epoch in 0 315532799 -1; do # before a zip archive's first year
  stamp $epoch
  [ "$(time_of_stamp)" = 19800101.000000 ] || fail "SOURCE_DATE_EPOCH=$epoch: the stamp is of $(time_of_stamp)"
done
for epoch in 4354819200 99999999999999999999; do # and after its last
  stamp $epoch
  [ "$(time_of_stamp)" = 21071231.235958 ] || fail "SOURCE_DATE_EPOCH=$epoch: the stamp is of $(time_of_stamp)"
done
cp unstamped $wheel # without it, RECORD's own time
python3 -c 'import sys, zipfile; print("%04d%02d%02d.%02d%02d%02d" % zipfile.ZipFile(sys.argv[1]).infolist()[-1].date_time)' $wheel >old_time
unset SOURCE_DATE_EPOCH
expect_exit 0 stamp --witness native $wheel
[ "$(time_of_stamp)" = "$(cat old_time)" ] || fail "without SOURCE_DATE_EPOCH the stamp is of $(time_of_stamp)"

for epoch in abc 1e3 ' 5' 0x10 1.5 $'1\n::error::x'; do
  cp unstamped $wheel
  remember $wheel
  SOURCE_DATE_EPOCH=$epoch expect_exit 2 gate --witness native --arch-list "8.0;9.0" $wheel
  cat out err >both
  expect_harmless both
  expect_unchanged
  expect_no_file '*.ledger.json'
done
