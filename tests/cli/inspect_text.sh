#!/usr/bin/env bash
# The text of `inspect --images`: a wheel, and a Windows library read through its fatbin section.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_narrow_b.so=pkg/_C.so hostonly.so=pkg/_h.so

size() { sed -E 's/ +[0-9]+ B  /  SIZE  /; s/  (none|lz4|zstd) +/  PACKED  /' out >neutral && mv neutral out; }
scenario() {
  expect_exit 0 inspect --images "${ask[@]}" $wheel
  size
  expect_output <<EOT
$wheel  wheel, SIZE
  holds     sm_80 sm_90 compute_90
  witnesses $witnesses
  extension pkg/_C.so  elf, SIZE
      sm_80 sm_90 compute_90; 4 images in 2 regions
      {80}×1, {80,90+PTX}×1
      region 1     sass   sm_80  SIZE  PACKED  .nv_fatbin
      region 1     ptx    compute_90  SIZE  PACKED  .nv_fatbin
      region 1     sass   sm_90  SIZE  PACKED  .nv_fatbin
      region 2     sass   sm_80  SIZE  PACKED  .nv_fatbin
  extension pkg/_h.so  elf, SIZE
      nothing; 3 images (3 without a kernel) in 1 region
      region 1     sass   sm_80  SIZE  PACKED  kernel-less  .nv_fatbin
      region 1     ptx    compute_90  SIZE  PACKED  kernel-less  .nv_fatbin
      region 1     sass   sm_90  SIZE  PACKED  kernel-less  .nv_fatbin
EOT
}
each_witness scenario
