#!/usr/bin/env bash
# A folder that cannot be written: exit 3, nothing is left behind. A wheel that is read-only is replaced all the same.
. "$(dirname "$0")/lib.sh"
need_fixtures
as_user=()
if [ "$(id -u)" = 0 ]; then
  need setpriv
  as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chmod 755 "$work"
  cp "$WHEELARCH" program
  WHEELARCH=$work/program
fi
mkdir dist
wheel ext_no_ptx.so=pkg/_C.so
mv $wheel dist/
remember dist/$wheel
chmod 555 dist
gate() {
  code=0
  "${as_user[@]}" "$WHEELARCH" gate --arch-list "8.0;9.0" --witness native "$@" >out 2>err </dev/null || code=$?
}
gate dist/$wheel
[ "$code" = 3 ] || { cat out err >&2; fail "exit $code in a folder that cannot be written"; }
expect_same err "standard error" <<EOT
error: $wheel: cannot write beside the file: Permission denied
    fix: check that its folder can be written and has space for the file once more
EOT
expect_unchanged
[ "$(ls -A dist)" = $wheel ] || { ls -lA dist >&2; fail "something was left in the folder"; }

chmod 777 dist
chmod 444 dist/$wheel
gate dist/$wheel
[ "$code" = 0 ] || { cat out err >&2; fail "exit $code with a read-only wheel"; }
[ "$(stat -c %a dist/$wheel)" = 444 ] || fail "its mode was changed"
[ "$(ls -A dist)" = "$(printf '%s\n' $wheel $wheel.ledger.json)" ] || { ls -lA dist >&2; fail "something was left in the folder"; }

# Through a link, the wheel itself is stamped, and the link stays.
mkdir linked
wheel ext_no_ptx.so=pkg/_C.so
ln -s ../$wheel linked/$wheel
expect_exit 0 gate --arch-list "8.0;9.0" --witness native linked/$wheel
[ -L linked/$wheel ] || fail "the link was replaced"
is_stamped $wheel || fail "the wheel was not stamped"
