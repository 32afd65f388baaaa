#!/usr/bin/env bash
# Wheels that installers or indexes refuse are not stamped: each is named with what is wrong, and no byte changes.
. "$(dirname "$0")/lib.sh"
need_fixtures
refused() { # refused EXIT FILE <LINES: of either stream, without the fix
  remember "$2"
  expect_exit "$1" stamp --witness native "$2"
  cat out err | grep -v '^    fix: ' >both || true
  expect_same both "what is said of $2"
  expect_unchanged
}
library=ext_no_ptx.so=pkg/_C.so

name=cc_torch-0.2+cu130torch29-cp312-cp312-linux_x86_64.whl # METADATA has no local version
made_wheel $name cc_torch 0.2+cu130torch29 cp312-cp312-linux_x86_64 $library
edit_wheel $name <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: cc_torch\nVersion: 0.2\n"'
refused 1 $name <<EOT
error[metadata-mismatch] $name → cc_torch-0.2+cu130torch29.dist-info/METADATA: Version is '0.2', but '0.2+cu130torch29' in the file name
EOT

name=dpvo_cuda-0.0.0+cu128torch2.8-cp311-cp311-linux_x86_64.whl # the dist-info folder has the name with a hyphen
made_wheel $name dpvo_cuda 0.0.0+cu128torch2.8 cp311-cp311-linux_x86_64 $library
edit_wheel $name <<<'members = {n.replace("dpvo_cuda-", "dpvo-cuda-"): m for n, m in members.items()}; info = info.replace("dpvo_", "dpvo-")'
refused 1 $name <<EOT
error[dist-info] $name → dpvo-cuda-0.0.0+cu128torch2.8.dist-info: the folder is not called 'dpvo_cuda-0.0.0+cu128torch2.8.dist-info', as the file name has it
EOT

wheel $library # two of them
edit_wheel $wheel <<<'members["Pkg-1.0.dist-info/METADATA"] = [zipfile.ZipInfo("x"), b""]'
refused 1 $wheel <<EOT
error[dist-info] $wheel: 2 folders *.dist-info in it, expected one: Pkg-1.0.dist-info, pkg-1.0.dist-info
EOT

wheel $library # changed without RECORD
edit_wheel $wheel <<<'members["pkg/new.py"] = [zipfile.ZipInfo("x"), b"1"]; members[f"{info}/RECORD"][1] += b"\n"'
refused 1 $wheel <<EOT
error[record-mismatch] $wheel → pkg/new.py: RECORD does not list it
EOT

wheel $library # a stale local header, as appending in place leaves it
python3 - $wheel <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[14] ^= 1
open(sys.argv[1], "wb").write(data)
PYTHON
remember $wheel
expect_exit 3 stamp --witness native $wheel
grep -q "^error: $wheel → pkg/_C.so: its local header and the central directory disagree on the CRC-32: " err || { cat err >&2; fail "a stale local header"; }
expect_unchanged

wheel $library
printf x >>$wheel
refused 3 $wheel <<EOT
error: $wheel → offset OFFSET: 1 byte of trailing data after the end record
EOT

wheel $library
edit_wheel $wheel <<<'members[f"{info}/WHEEL"][1] += b"Tag: \nTag: -manylinux_2_17_x86_64\n"'
refused 1 $wheel <<EOT
error[wheel-tags] $wheel → pkg-1.0.dist-info/WHEEL: the tag '' is not of the form python-abi-platform
EOT

name=pkg-1.0-cp312-cp312-linux_aarch64.whl # a library for another machine
made_wheel $name pkg 1.0 cp312-cp312-linux_aarch64 $library
refused 1 $name <<EOT
error[host-machine] $name → pkg/_C.so: built for x86-64, but the platform tag of the wheel is linux_aarch64
EOT
name=pkg-1.0-py3-none-any.whl
made_wheel $name pkg 1.0 py3-none-any $library
refused 1 $name <<EOT
error[host-machine] $name → pkg/_C.so: built for x86-64, but the platform tag of the wheel is any
EOT

# One that is refused does not keep the others from it: there is no verdict on all of them.
wheel $library
expect_exit 1 stamp --witness native $wheel $name
is_stamped $wheel || fail "$wheel is not stamped"
