#!/usr/bin/env bash
# A job summary that cannot be written is an error, not a crash.
. "$(dirname "$0")/lib.sh"
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/dev/full
expect_exit 3 inspect missing.whl
grep -q '^error: missing.whl' err || { cat err >&2; fail "the first error is not said"; }
expect_exit 2 inspect --no-such-option
