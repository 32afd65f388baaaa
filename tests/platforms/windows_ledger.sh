#!/usr/bin/env bash
# A ledger under Windows: collected into a repository, shown, and the commit is the one that git on Linux reads. Then
# with git for Windows, pushed to a remote.
. "$(dirname "$0")/windows_lib.sh"
need_fixtures
need git
mkdir dist
for name in a b; do made_wheel dist $name 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so; done
expect_exit 0 gate --arch-list "8.0;9.0" --witness native dist
git init -q farm
expect_exit 0 ledger collect "$(windows_path dist)" --farm "$(windows_path farm)" --json result.json
check_json result.json 'd["added"] == 2'
git -C farm fsck --strict >fsck.log 2>&1 || { cat fsck.log >&2; fail "git objects"; }
[ "$(git -C farm ls-tree -r --name-only wheel-ledger | grep -c '\.json$')" = 2 ] || fail "not both entries are there"
for file in dist/*.whl; do
  expect_exit 0 ledger show "$file" --farm farm --json -
  check_json out 'd["entry"]["wheel"]["sha256"] == "'"$(sha256sum <"$file" | cut -d' ' -f1)"'"'
done
# CRLF in an entry, as a checkout may give it, changes nothing.
sed -i 's/$/\r/' dist/a-*.ledger.json
expect_exit 0 ledger collect dist --farm farm --json -
check_json out 'd["added"] == 0 and d["unchanged"] == 2'

git_for_windows=$root/build/git-for-windows
[ -f "$git_for_windows/git.exe" ] || lacking "git for Windows: run .ci/setup"
WINEPATH=$(windows_path "$git_for_windows")
export WINEPATH
git init -q --bare "re mote.git"
git init -q second
git -C second remote add origin "$(windows_path "re mote.git")"
expect_exit 0 ledger collect dist --farm second --json result.json
check_json result.json 'd["added"] == 2'
[ "$(git -C "re mote.git" ls-tree -r --name-only wheel-ledger | grep -c '\.json$')" = 2 ] || fail "nothing was pushed"
