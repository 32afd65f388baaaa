#!/usr/bin/env bash
# gate under Windows: the same stamped wheel and entry as on Linux; a wheel that cannot be replaced stays as it was.
. "$(dirname "$0")/windows_lib.sh"
need_fixtures
PATH=/usr/bin:/bin:/usr/lib/wine # no toolkit, of which only the program of this machine would say that it found its nvcc
mkdir here there
made_wheel here pkg 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so plain_host.so=pkg/bin/tool
cp here/* there
for program in "here $linux" "there $WHEELARCH"; do
  (cd "${program%% *}" && "${program#* }" gate --arch-list "8.0;9.0" --witness native $wheel >../"${program%% *}.out" 2>../err) ||
    { cat "${program%% *}.out" err >&2; fail "gate with ${program#* }"; }
done
cmp here/$wheel there/$wheel >&2 || fail "another wheel than on Linux"
cmp here.out there.out >&2 || { diff here.out there.out >&2; fail "another output than on Linux"; }
diff <(grep -v recorded_at here/$wheel.ledger.json) <(grep -v recorded_at there/$wheel.ledger.json) >&2 || fail "another entry than on Linux"
[ "$(find there -mindepth 1 | wc -l)" = 2 ] || { ls -A there >&2; fail "something was left beside the wheel"; }
! grep -q $'\r' there/$wheel.ledger.json || fail "a carriage return in the entry"

# Again: nothing to do.
expect_exit 0 gate --arch-list "8.0;9.0" --witness native there/$wheel
expect_line out "$wheel: stamped already, not changed"

# Read-only: named, and left as it is.
mkdir locked
made_wheel locked pkg 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so
chmod 444 locked/$wheel
remember locked/$wheel
expect_exit 3 gate --arch-list "8.0;9.0" --witness native locked/$wheel
cat out err | grep -qF "the file is read-only" || { cat out err >&2; fail "not said that it is read-only"; }
expect_unchanged
[ "$(ls -A locked)" = $wheel ] || fail "something was left beside the wheel"
