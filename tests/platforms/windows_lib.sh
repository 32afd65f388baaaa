# For the scenarios under Wine, which source it first: $WHEELARCH is then a script that runs the Windows program, and
# $linux the program of this machine.
#
#   WHEELARCH_WINDOWS  the program under test; default dist/windows-x64/wheelarch.exe
# shellcheck shell=bash disable=SC2034  # variables here are for the scenarios
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
PATH=$PATH:/usr/lib/wine # where Debian keeps these
need wine64 wineserver
linux=$WHEELARCH
windows=${WHEELARCH_WINDOWS:-$root/dist/windows-x64/wheelarch.exe}
[ -f "$windows" ] || lacking "$windows: run .ci/build-dist"
windows=$(realpath "$windows")

end_wine() {
  wineserver -k || true
  rm -rf "$work"
}
export WINEPREFIX=$work/.wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
trap end_wine EXIT
mkdir "$work/.wine"
wine64 wineboot --init >wineboot.log 2>&1 || { cat wineboot.log >&2; fail "Wine does not start"; }
printf '#!/bin/sh\nexec wine64 "%s" "$@"\n' "$windows" >run-windows
chmod +x run-windows
WHEELARCH=$work/run-windows

windows_path() { # windows_path FILE: as a Windows program names it; Z: is the root folder
  local path
  path=$(realpath -m "$1")
  echo "Z:${path//\//\\}"
}
# The same command with the program of this machine writes the same, byte for byte.
expect_as_linux() { # expect_as_linux CODE ARGUMENT...
  local code_linux=0
  expect_exit "$@"
  "$linux" "${@:2}" >out.linux 2>err.linux </dev/null || code_linux=$?
  [ "$code_linux" = "$code" ] || fail "exit $code_linux on Linux, $code on Windows: wheelarch ${*:2}"
  cmp out.linux out >&2 || { diff out.linux out >&2; fail "standard output differs"; }
  cmp err.linux err >&2 || { diff err.linux err >&2; fail "standard error differs"; }
}
