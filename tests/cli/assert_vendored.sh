#!/usr/bin/env bash
# CUDA's own libraries are listed and not judged; --include and --exclude move the line.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so variants.so=pkg/lib/libcudart.so.13 ext_90a.so=pkg.libs/libother-0a1b2c3d.so

expect_exit 0 assert --arch-list "8.0;9.0" --witness native $wheel
expect_output <<EOT
$wheel: match
  requested sm_80 sm_90
  observed  sm_80 sm_90
  witnesses native
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90; 2 images in 1 region
      {80,90}×1
  vendored  pkg/lib/libcudart.so.13  elf, SIZE
      sm_100a sm_100f sm_120a compute_120f; 4 images in 1 region
      {100a,100f,120a,ptx120f}×1
  vendored  pkg.libs/libother-0a1b2c3d.so  elf, SIZE
      sm_80 sm_90a compute_90a; 3 images in 1 region
      {80,90a+PTX}×1
EOT
expect_exit 0 assert --arch-list "8.0;9.0;9.0a+PTX" --witness native --include 'libother-*.so' $wheel
expect_exit 1 assert --arch-list "8.0;9.0" --witness native --exclude '_C.so' --exclude 'libother-*' $wheel
expect_line out "error[no-device-code] $wheel: sm_80 sm_90 requested, but no member has device code other than vendored libraries: pkg/_C.so, pkg/lib/libcudart.so.13, pkg.libs/libother-0a1b2c3d.so"
