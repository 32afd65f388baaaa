#!/usr/bin/env bash
# The workflow steps that the pages show are workflows that actionlint accepts, and the program takes their inputs.
. "$(dirname "$0")/../action/lib.sh"
[ -x "$tools/actionlint" ] || lacking "actionlint: run .ci/setup"
[ -x "$venv/bin/python" ] || lacking "$venv: run .ci/setup"
"$venv/bin/python" "$root/tests/docs/steps.py" "$root" "$WHEELARCH" "$tools/actionlint"
