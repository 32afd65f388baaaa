#!/usr/bin/env bash
# Random years of a farm: no wheel is called current that is not, and none is rebuilt that the model keeps. The long run,
# with its result in docs/policy.md: tests/plan/years.py WHEELARCH 2000.
. "$(dirname "$0")/lib.sh"
need git
export GIT_CONFIG_NOSYSTEM=1 HOME=$work
python3 "$root/tests/plan/years.py" "$WHEELARCH" "${YEARS:-12}" || fail "a year went otherwise than the model says"
