#!/usr/bin/env bash
# In a workflow, findings are annotations too: escaped, at most ten of a kind in a run, and in the job summary.
. "$(dirname "$0")/lib.sh"
need_fixtures
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md

zip_named $wheel '["pkg/100%.so", "pkg/|<b>@x`.so", "::error::x.so"]' "$fixtures/ext_no_ptx.so"
expect_exit 1 assert --arch-list "8.0" --witness native $wheel
expect_same <(annotations) annotations <<EOT
::error title=wheelarch%3A extra-arch::$wheel: sm_90 found in pkg/100%25.so, pkg/|<b>@x\`.so, ::error::x.so, but not requested%0Afix: $(fix "8.0;9.0")
EOT
expect_same summary.md "job summary" <<EOT
### ❌ mismatch <code>pkg-1.0-cp312-cp312-linux&#95;x86&#95;64.whl</code>

| | |
| --- | --- |
| requested | <code>sm&#95;80</code> |
| observed | <code>sm&#95;80 sm&#95;90</code> |
| extra | <code>sm&#95;90</code> |

- **error** extra-arch <code>pkg-1.0-cp312-cp312-linux&#95;x86&#95;64.whl</code> <code>sm&#95;90 found in pkg/100%.so, pkg/&#124;&lt;b&gt;&#64;x&#96;.so, ::error::x.so, but not requested</code>
  - fix: <code>$(fix "8.0;9.0" | sed 's/_/\&#95;/; s/`/\&#96;/g')</code>

EOT

# What could not be checked is an annotation as well; the summary grows by it.
expect_exit 3 assert --arch-list 8.0 missing.whl
expect_same <(annotations) annotations <<'EOT'
::error title=wheelarch%3A could not be checked::missing.whl: cannot open the file: No such file or directory%0Afix: check the path and its permissions
EOT
grep -q 'mismatch' summary.md && grep -q 'could not be checked' summary.md || fail "the summary does not have both"
expect_exit 2 assert --arch-list 8.0,9.0 $wheel
[ "$(annotations | grep -c '^::error ')" = 1 ] || fail "bad usage has no annotation"

# They do not get into JSON on standard output.
expect_exit 1 assert --arch-list "8.0" --witness native --json - $wheel
check_json out 'd["verdict"] == "mismatch"'
[ "$(annotations | wc -l)" = 1 ] || fail "no annotation beside the JSON"
expect_exit 3 assert --arch-list "8.0" --witness native --json - missing.whl
check_json out 'd["verdict"] == "unchecked"'
