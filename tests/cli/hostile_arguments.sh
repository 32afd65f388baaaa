#!/usr/bin/env bash
# File names and option values are printed as harmlessly as member names; so are the file's own words.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_narrow_b.so=pkg/_C.so
evil=$'::error::a\n::error::##[error]\e[31m\xff.so'
cp "$fixtures/ext_narrow_b.so" "$evil"

harmless() { # harmless EXIT ARGUMENT...
  expect_exit "$@"
  expect_harmless out err
}
harmless 0 inspect --images --witness native "$evil"
harmless 3 inspect "$evil/none"
harmless 3 assert --arch-list 8.0 "$evil.whl"
harmless 2 assert --arch-list "$evil" $wheel
harmless 2 assert --arch-list 8.0 --cuda "$evil" $wheel
harmless 2 assert --arch-list 8.0 --witness "$evil" $wheel
harmless 2 assert --arch-list 8.0 --expect-member "$evil" $wheel
harmless 1 assert --arch-list 8.0 --expect-member "$evil=8.0" --witness native $wheel
harmless 3 assert --arch-list 8.0 --cuobjdump "$evil" $wheel
harmless 3 assert --arch-list 8.0 --witness native --json "$evil/x" $wheel
harmless 2 assert --arch-list 8.0 "--$evil" $wheel
harmless 2 "$evil"
harmless 2 coverage --arch-list 8.0 --gpu "$evil"
harmless 0 coverage --witness native "$evil"
mkdir "folder $evil"
harmless 3 inspect "folder $evil"
printf '.version 9.0\n.target sm_90::error::, ##[error]\n.address_size 64\n' >bad.ptx
run inspect --witness native bad.ptx
expect_harmless out err
