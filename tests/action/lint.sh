#!/usr/bin/env bash
# The action and the workflows are sound, by the tools that others will judge them with.
. "$(dirname "$0")/lib.sh"
cd "$root"
PATH=$venv/bin:$tools:$PATH
need actionlint zizmor check-jsonschema

check() { # check COMMAND...: its output is shown if it fails
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }
}
check check-jsonschema --builtin-schema vendor.github-actions action.yml
check check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml tests/action/workflow*.yml
check actionlint .github/workflows/*.yml tests/action/workflow*.yml
check zizmor --offline --no-progress action.yml .github
