#!/usr/bin/env bash
# Where cuobjdump is looked for: --cuobjdump, $CUDA_HOME, $CUDA_PATH, PATH, the Python environment. The first one is asked.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
fake_cuobjdump 13.2 <<'EOT'
echo "ELF file    1: input.1.sm_80.cubin"
echo "ELF file    2: input.2.sm_90.cubin"
EOT
place() { # place FOLDER: puts the fake there
  mkdir -p "$1"
  cp fake/cuobjdump "$1/cuobjdump"
}
place home/bin
place path/bin
place on_path
place env/lib/python3.12/site-packages/nvidia/cu13/bin
place triton/lib/python3.12/site-packages/triton/backends/nvidia/bin

for setting in CUDA_HOME=$work/home CUDA_PATH=$work/path "PATH=$work/on_path:$PATH" VIRTUAL_ENV=$work/env CONDA_PREFIX=$work/triton; do
  (
    export "${setting?}"
    expect_exit 0 assert --arch-list "8.0;9.0" --witness both --json report.json $wheel
    expect_line out "  witnesses native, cuobjdump"
    check_json report.json 'd["cuobjdump"]["release"] == "13.2" and d["cuobjdump"]["path"].endswith("/cuobjdump")'
  )
done
# One that is named goes before all others.
printf '#!/bin/sh\nexit 1\n' >home/bin/cuobjdump
CUDA_HOME=$work/home expect_exit 3 assert --arch-list "8.0;9.0" --witness both $wheel
CUDA_HOME=$work/home expect_exit 0 assert --arch-list "8.0;9.0" --witness both --cuobjdump fake/cuobjdump $wheel
