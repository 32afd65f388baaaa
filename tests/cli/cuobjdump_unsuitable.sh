#!/usr/bin/env bash
# No cuobjdump, or one older than the file: `auto` reads with one witness and says so; `both` is exit 3.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
list="8.0;9.0"

fake_cuobjdump 11.8 <<'EOT'
echo "ELF file    1: input.1.sm_141.cubin"
EOT
old="cuobjdump 11.8 is older than what made this file, which needs 13.0 or newer"
expect_exit 0 assert --arch-list $list --cuobjdump fake/cuobjdump $wheel
expect_line out "  witnesses native"
expect_line out "notice[one-witness] $wheel → pkg/_C.so: $old: read by the native reader alone"
for mode in both cuobjdump; do
  expect_exit 3 assert --arch-list $list --witness $mode --cuobjdump fake/cuobjdump $wheel
  expect_error <<EOT
error: $wheel → pkg/_C.so: $old
    fix: name a cuobjdump that reads it with --cuobjdump, or choose --witness native
EOT
done

printf '#!/bin/sh\necho hello\n' >other && chmod +x other
expect_exit 3 assert --arch-list $list --cuobjdump ./other $wheel
expect_error <<'EOT'
error: ./other --version does not answer as cuobjdump does
    fix: install it (PyPI nvidia-cuda-cuobjdump, apt cuda-cuobjdump-13-0, conda cuda-cuobjdump), name it with --cuobjdump, or choose --witness native
EOT
expect_exit 3 assert --arch-list $list --cuobjdump ./missing $wheel
expect_error <<'EOT'
error: cannot start ./missing: No such file or directory
    fix: check that the file is there and can be executed
EOT

# The rest needs a machine where a search finds none.
if ! compgen -G '/usr/local/cuda*' >/dev/null; then
  PATH=$work/nothing expect_exit 0 assert --arch-list $list $wheel
  expect_line out "notice[one-witness] cuobjdump was not found: read by the native reader alone"
  PATH=$work/nothing expect_exit 3 assert --arch-list $list --witness both $wheel
  expect_error <<'EOT'
error: cuobjdump was not found, and this run requires it
    fix: install it (PyPI nvidia-cuda-cuobjdump, apt cuda-cuobjdump-13-0, conda cuda-cuobjdump; nvcc's package does not bring it), or name it with --cuobjdump
EOT
fi
