#!/usr/bin/env bash
# A cuobjdump that fails, crashes or prints something else: exit 3, with its own words.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so

refused() { # refused <MESSAGE
  expect_exit 3 assert --arch-list "8.0;9.0" --cuobjdump fake/cuobjdump $wheel
  expect_error
}
fake_cuobjdump 13.2 <<'EOT'
echo "cuobjdump fatal   : Could not read ::error::it
a second line" >&2
exit 1
EOT
refused <<EOT
error: $wheel → pkg/_C.so: cuobjdump 13.2 failed with exit code 1: cuobjdump fatal   : Could not read ::error::it
    fix: the file is damaged, or not for this version of cuobjdump; --witness native does without it
EOT
fake_cuobjdump 13.2 <<'EOT'
kill -SEGV $$
EOT
refused <<EOT
error: $wheel → pkg/_C.so: cuobjdump 13.2 crashed
    fix: --witness native does without cuobjdump
EOT
fake_cuobjdump 13.2 <<'EOT'
printf 'ELF file    1: input.1.sm_80.cubin\n::set-output name=x::\033[31m\n'
EOT
refused <<EOT
error: $wheel → pkg/_C.so: cuobjdump printed a line that is not understood: '::set-output name=x::\x1b[31m'
    fix: report it with the CUDA version; --witness native does without cuobjdump
EOT
fake_cuobjdump 13.2 <<'EOT'
yes 'ELF file    1: input.1.sm_80.cubin' | head -c 300000000
EOT
refused <<EOT
error: $wheel → pkg/_C.so: cuobjdump 13.2 printed more than is read
    fix: --witness native does without cuobjdump
EOT
# One that hangs is ended at the limit, and so is what it started.
fake_cuobjdump 13.2 <<'EOT'
sleep 600
EOT
expect_exit 3 assert --arch-list "8.0;9.0" --cuobjdump fake/cuobjdump --cuobjdump-timeout 1 $wheel
expect_error <<EOT
error: $wheel → pkg/_C.so: cuobjdump 13.2 did not end within 1 s
    fix: --witness native does without cuobjdump
EOT
