#!/usr/bin/env bash
# docs/third-party-notices.md has the licences of the pinned packages. With --update, it is written.
. "$(dirname "$0")/../cli/lib.sh"
[ -d "$root/build/deps/crates" ] && [ -d "$venv" ] || lacking "packages in build/: run .ci/setup"
python3 "$root/tests/docs/notices.py" "$@" "$root"
