#!/usr/bin/env bash
# What gate accepts, pip and uv install, and the files on disk are those that were judged. A part of the made wheels;
# all of them: tests/wheel/installers.py.
. "$(dirname "$0")/lib.sh"
[ -x "$root/build/venv/bin/uv" ] || { echo "no uv in build/venv" >&2; exit 1; }
PATH=$root/build/venv/bin:$PATH timeout 120 "$root/build/venv/bin/python" "$root/tests/wheel/installers.py" \
  --wheelarch "$WHEELARCH" --every 14 >out || { cat out; fail "gate and the installers differ"; }
