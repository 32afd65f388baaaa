#!/usr/bin/env bash
# A wheel without device code is a mismatch, unless it was declared to have none; then device code is one.
. "$(dirname "$0")/lib.sh"
need_fixtures

without_device_code() {
  expect_exit 1 assert --arch-list 8.0 "${ask[@]}" $wheel
  expect_output <<EOT
$wheel: MISMATCH
  requested sm_80
  observed  nothing
  missing   sm_80
  witnesses $witnesses
  host      1 binary without device code
error[no-device-code] $wheel: sm_80 requested, but no member has device code
    fix: find out why the build made none; or, if this is meant, declare it: --device-code none, in the package's YAML \`device_code: none\`
EOT
  expect_exit 0 assert --device-code none "${ask[@]}" $wheel
}
with_device_code() {
  expect_exit 1 assert --device-code none "${ask[@]}" $wheel
  expect_line out "error[unexpected-device-code] $wheel → pkg/_C.so: declared to have no device code, but holds sm_80 sm_90 compute_90 (6 images)"
}
wheel plain_host.so=pkg/_C.so
each_witness without_device_code
wheel ext_two_tu.so=pkg/_C.so
each_witness with_device_code

expect_exit 2 assert --device-code none --arch-list 8.0 $wheel
expect_error <<'EOT'
error: --device-code none asks for no archs, but others are requested too
    fix: remove --arch-list and --expect-member
EOT
