#!/usr/bin/env bash
# docs/rules.md and docs/lint-rules.md explain every rule that src/ has, and no other; lint --explain leads there.
. "$(dirname "$0")/../cli/lib.sh"
python3 "$root/tests/docs/pages.py" rules "$root" "$WHEELARCH"
