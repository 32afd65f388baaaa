#!/usr/bin/env bash
# auditwheel may move the package's own library to *.libs/: where nothing else has device code, it is judged.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel plain_host.so=pkg/_C.so ext_no_ptx.so=pkg.libs/libpkg-0a1b2c3d.so

expect_exit 0 assert --arch-list "8.0;9.0" --witness native $wheel
expect_exit 1 assert --arch-list "8.0;8.6;9.0" --witness native $wheel
expect_output <<EOT
$wheel: MISMATCH
  requested sm_80 sm_86 sm_90
  observed  sm_80 sm_90
  missing   sm_86
  witnesses native
  extension pkg.libs/libpkg-0a1b2c3d.so  elf, SIZE
      sm_80 sm_90; 2 images in 1 region
      {80,90}×1
  host      1 binary without device code
notice[repaired-library] $wheel → pkg.libs/libpkg-0a1b2c3d.so: taken for the package's own, since nothing outside of *.libs/ has device code
    fix: name it with --exclude if it is not
error[missing-arch] $wheel: sm_86 requested, but no image of it is there; 8.6 devices load sm_80
    fix: $(fix "8.0;9.0")
EOT
