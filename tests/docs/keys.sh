#!/usr/bin/env bash
# docs/policy.md has every key of the policy that src/ reads, and no other.
. "$(dirname "$0")/../cli/lib.sh"
python3 "$root/tests/docs/pages.py" keys "$root"
