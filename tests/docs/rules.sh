#!/usr/bin/env bash
# docs/rules.md explains every rule that src/ has, and no other.
. "$(dirname "$0")/../cli/lib.sh"
python3 "$root/tests/docs/pages.py" rules "$root"
