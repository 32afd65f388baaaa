#!/usr/bin/env bash
# A double space: the meaning is plain, but torch refuses such a list, so the report says so and the run passes.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so

expect_exit 0 assert --arch-list "8.0  9.0+PTX" --witness native $wheel
expect_output <<EOT
$wheel: match
  requested sm_80 sm_90 compute_90
  observed  sm_80 sm_90 compute_90
  witnesses native
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 6 images in 2 regions
      {80,90+PTX}×2
warning[arch-list-empty-item] --arch-list: the arch list has an empty item (column 5): torch's cpp_extension refuses it: Unknown CUDA arch () or GPU not supported
    fix: write 8.0;9.0+PTX
EOT

# What the build's own torch refuses is a warning too: a package with its own -gencode flags can build it.
expect_exit 1 assert --arch-list "8.0;10.3" --torch 2.6 --witness native $wheel
expect_line out "warning[torch-lacks-arch] --arch-list: cpp_extension of torch 2.6 refuses 10.3: torch 2.8 and later have it"
