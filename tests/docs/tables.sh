#!/usr/bin/env bash
# The tables of inputs and outputs are those of action.yml. With --update, the pages are corrected instead.
. "$(dirname "$0")/../cli/lib.sh"
[ -f "$root/action.yml" ] || skip "no action.yml"
python3 "$root/tests/docs/pages.py" tables "$@" "$root"
