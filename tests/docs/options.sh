#!/usr/bin/env bash
# docs/usage.md has every option that --help has, and no other.
. "$(dirname "$0")/../cli/lib.sh"
python3 "$root/tests/docs/pages.py" options "$root" "$WHEELARCH"
