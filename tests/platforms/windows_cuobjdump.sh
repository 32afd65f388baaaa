#!/usr/bin/env bash
# NVIDIA's cuobjdump.exe is found, run and agrees; it is downloaded once, by hash, into build/real.
. "$(dirname "$0")/windows_lib.sh"
need_fixtures
version=13.2.51
archive=nvidia_cuda_cuobjdump-$version-py3-none-win_amd64.whl
sum=3b6dda842ae5369d6045b3b01a45050eeb32df8dc8f6ef2aeb2760fadc22eccf
mkdir -p "$root/build/real"
[ -f "$root/build/real/$archive" ] || "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --platform win_amd64 -d "$root/build/real" "nvidia-cuda-cuobjdump==$version" || lacking "cuobjdump.exe: pip could not download it"
echo "$sum  $root/build/real/$archive" | sha256sum --check --quiet --strict >&2 || fail "$archive is not the one that was pinned"
mkdir -p "a toolkit" env/Lib/site-packages
unzip -q "$root/build/real/$archive" -d env/Lib/site-packages
cp -r env/Lib/site-packages/nvidia/cu13/bin "a toolkit"

wheel ext_two_tu.so=pkg/_C.so plain_host.so=pkg/_host.so
made_wheel . win 1.0 cp312-cp312-win_amd64 pe_short_name.pyd=win/_C.pyd
found() { # found TOOLKIT_FOLDER
  expect_line out "  witnesses native, cuobjdump"
  T=$1 check_json report.json 'd["cuobjdump"]["path"].replace("\\", "/").endswith(__import__("os").environ["T"] + "/cuobjdump.exe")'
}
given=$(windows_path "a toolkit/bin/cuobjdump.exe")
expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness both "--cuobjdump=$given" --json report.json $wheel
found "a toolkit/bin"
expect_exit 0 inspect --witness both "--cuobjdump=$given" win-1.0-cp312-cp312-win_amd64.whl
CUDA_PATH=$(windows_path "a toolkit") expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness both --json report.json $wheel
found "a toolkit/bin"
WINEPATH=$(windows_path "a toolkit/bin") expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness both --json report.json $wheel
found "a toolkit/bin"
VIRTUAL_ENV=$(windows_path env) expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness both --json report.json $wheel
found "env/Lib/site-packages/nvidia/cu13/bin"

# One in the working folder is nobody's, and a batch file is never run.
cp "a toolkit/bin/cuobjdump.exe" .
expect_exit 3 assert --arch-list "8.0;9.0+PTX" --witness cuobjdump $wheel
echo '@echo off' >cuobjdump.bat
expect_exit 3 assert --arch-list "8.0;9.0+PTX" --witness cuobjdump --cuobjdump=cuobjdump.bat $wheel
grep -qF "a batch file needs a shell" err || { cat err >&2; fail "a batch file was run"; }
