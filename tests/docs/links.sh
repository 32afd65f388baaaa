#!/usr/bin/env bash
# Relative links between the pages resolve.
. "$(dirname "$0")/../cli/lib.sh"
python3 "$root/tests/docs/pages.py" links "$root"
