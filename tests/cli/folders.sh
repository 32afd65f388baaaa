#!/usr/bin/env bash
# A folder stands for the wheels in it, or for everything with device code; names that begin with a dash are files.
. "$(dirname "$0")/lib.sh"
need_fixtures
mkdir -p dist/sub
wheel_named dist/a-1.0-py3-none-linux_x86_64.whl ext_no_ptx.so=pkg/_C.so
wheel_named dist/sub/b-1.0-py3-none-linux_x86_64.whl ext_no_ptx.so=pkg/_C.so
cp "$fixtures/loose_90a.cubin" dist/k.bin
echo text >dist/notes.txt
ln -s a-1.0-py3-none-linux_x86_64.whl dist/link-1.0-py3-none-linux_x86_64.whl

expect_exit 0 assert --arch-list "8.0;9.0" --witness native --json report.json dist
check_json report.json '[r["file"] for r in d["results"]] == ["dist/a-1.0-py3-none-linux_x86_64.whl", "dist/sub/b-1.0-py3-none-linux_x86_64.whl"]'
expect_exit 0 inspect --witness native --json report.json dist
check_json report.json '[f["path"] for f in d["files"]] == ["dist/a-1.0-py3-none-linux_x86_64.whl", "dist/k.bin", "dist/sub/b-1.0-py3-none-linux_x86_64.whl"]' \
  '[f["format"] for f in d["files"]] == ["wheel", "cubin", "wheel"]'

cp "$fixtures/ext_no_ptx.so" ./--json
expect_exit 0 inspect --witness native -- --json
expect_line out "  holds     sm_80 sm_90"
