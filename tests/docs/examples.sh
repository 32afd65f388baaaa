#!/usr/bin/env bash
# The examples in README.md and docs/ print what the pages show. With --update, the pages are corrected instead.
. "$(dirname "$0")/../cli/lib.sh"
need_cuobjdump
python3 "$root/tests/docs/examples.py" "$@" "$root" "$WHEELARCH" "$cuobjdump"
