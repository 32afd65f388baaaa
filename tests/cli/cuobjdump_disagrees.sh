#!/usr/bin/env bash
# A cuobjdump that lists an image more, one less, or another arch: neither witness is believed, the run is exit 3.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_cuobjdump
wheel ext_no_ptx.so=pkg/_C.so

refused() { # refused SAYS FIRST_DIFFERENCE: with whatever fake there is
  expect_exit 3 assert --arch-list "8.0;9.0" --cuobjdump fake/cuobjdump $wheel
  expect_error <<EOT
error: $wheel → pkg/_C.so: the witnesses disagree: native sees 2 images (sm_80 sm_90), cuobjdump $1; image $2
    fix: do not ship it; compare with \`wheelarch inspect --images --witness native\` and report it
EOT
}
fake_cuobjdump 13.2 <<EOT
"$cuobjdump" "\$@" && echo "ELF file    3: input.3.sm_100a.cubin"
EOT
refused "3 (sm_80 sm_90 sm_100a)" "3 is missing for the one and sm_100a for the other"
fake_cuobjdump 13.2 <<EOT
"$cuobjdump" "\$@" | head -1
EOT
refused "1 (sm_80)" "2 is sm_90 for the one and missing for the other"
fake_cuobjdump 13.2 <<EOT
"$cuobjdump" "\$@" | sed s/sm_90/sm_90a/
EOT
refused "2 (sm_80 sm_90a)" "2 is sm_90 for the one and sm_90a for the other"

# A library that is host-only for it, which is what it also says of a damaged one.
fake_cuobjdump 13.2 <<'EOT'
echo "cuobjdump info    : File 'input' does not contain device code" >&2
exit 255
EOT
refused "0 (nothing)" "1 is sm_80 for the one and missing for the other"
