#!/usr/bin/env bash
# The action in a workflow, run by act on this machine as on a self-hosted runner: see workflow.yml.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_act
make_repository
cp "$root/tests/action/workflow.yml" .github/workflows/
mkdir wheels
wheel_named wheels/$wheel ext_no_ptx.so=pkg/_C.so
cp -r "$root/tests/farm/flat" farm
: >farm/none
evil="evil \$(touch pwned-1) \`touch pwned-2\`; touch pwned-3 \"' && touch pwned-4 #"
mkdir "$evil"
cp wheels/$wheel "$evil/"
commit_repository

run_act || { tail -100 "$work/log" >&2; fail "the workflow failed"; }
grep -q 'all steps were reached' "$work/log" || { cat "$work/log" >&2; fail "the workflow did not reach its end"; }
# What a reader of the log sees of a mismatch.
grep -qF "error[missing-arch] $wheel: sm_86 requested" "$work/log" || fail "no finding in the log"
