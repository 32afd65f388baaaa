#!/usr/bin/env bash
# Cross-compiles git.exe for 64-bit Windows from Debian's source package: fetch and push over paths and file://, no
# http, no TLS, no perl, python or tk. For tests only.
#
#   build.sh FOLDER        leaves FOLDER/git.exe and what it runs beside it
#
# Needs gcc-mingw-w64-x86-64-posix, libz-mingw-w64-dev, make and apt-get with a Debian source.
set -euo pipefail
source_folder=$(cd "$(dirname "$0")" && pwd)
here=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$here"

# apt's own sources name binary packages only; lists of source packages go to a folder of ours.
if [ ! -d tree ]; then
  mkdir -p parts lists/partial
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ ! -f "$list" ] || sed -E 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$list" >"parts/$(basename "$list")"
  done
  apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$here/parts" -o "Dir::State::Lists=$here/lists")
  "${apt[@]}" update
  "${apt[@]}" source --download-only git
  mkdir tree.new
  tar -xf git_*.orig.tar.* -C tree.new --strip-components 1
  mv tree.new tree
  rm -rf parts lists
fi

# Windows' file names have no case.
mkdir -p include
grep -rhoE '^#include <[A-Za-z0-9]*[A-Z][A-Za-z0-9]*\.h>' --include='*.[ch]' tree/*.[ch] tree/compat | sed 's/.*<//; s/>//' | sort -u |
  while read -r header; do
    plain=/usr/x86_64-w64-mingw32/include/${header,,}
    [ ! -f "$plain" ] || ln -sfn "$plain" "include/$header"
  done

# uname_R=1.0 leaves out what only MSYS2 has; the few settings of that branch that are wanted come by hand.
settings=(
  uname_S=MINGW uname_R=1.0 uname_M=x86_64 HOST_CPU=x86_64
  CC=x86_64-w64-mingw32-gcc-posix AR=x86_64-w64-mingw32-ar RC="x86_64-w64-mingw32-windres -O coff"
  CFLAGS="-O1 -g0 -w -D_WIN32_WINNT=0x0601 -I$here/include"
  LDFLAGS="-static -s"
  EXTLIBS="-lz -lws2_32 -lntdll -ladvapi32"
  prefix=/mingw64
  INTERNAL_QSORT=YesPlease
  NO_CURL=YesPlease NO_EXPAT=YesPlease NO_OPENSSL=YesPlease NO_ICONV=YesPlease NEEDS_LIBICONV= NO_GETTEXT=YesPlease
  NO_TCLTK=YesPlease NO_PERL=YesPlease NO_PYTHON=YesPlease NO_REGEX=YesPlease USE_LIBPCRE= NO_INSTALL_HARDLINKS=YesPlease
  SHELL_PATH=/bin/sh PERL_PATH=/usr/bin/perl
)
make -C tree -j"$(nproc)" "${settings[@]}" git.exe >build.log 2>&1 || { tail -30 build.log >&2; exit 1; }
cp tree/git.exe git.exe
# Programs that git looks up by name on the other side of a path or a file:// address.
for name in upload-pack receive-pack; do ln -f git.exe "git-$name.exe"; done
x86_64-w64-mingw32-gcc-posix -O1 -s -static -o sh.exe "$source_folder/sh.c"
rm -rf tree include
