#!/usr/bin/env bash
# gate in a workflow: annotations for what is wrong with a wheel, and a job summary.
. "$(dirname "$0")/lib.sh"
need_fixtures
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md
wheel ext_no_ptx.so=pkg/_C.so
expect_exit 0 gate --arch-list "8.0;9.0" --witness native $wheel
[ -z "$(annotations)" ] || fail "an annotation of a good wheel"
grep -q '^### ✅ match <code>' summary.md || { cat summary.md >&2; fail "no summary"; }

edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\xe2\x80\xae::error::100%|<b>\n"'
rm summary.md
expect_exit 1 gate --arch-list "8.0;9.0" --witness native $wheel
expect_same <(annotations) annotations <<EOT
::error title=wheelarch%3A metadata-mismatch::$wheel → pkg-1.0.dist-info/METADATA: Version is '1.0\\xe2\\x80\\xae::error::100%25|<b>', which is not a version by PEP 440%0Afix: installers refuse it: build the wheel again
EOT
grep -q '^### ❌ refused <code>' summary.md || { cat summary.md >&2; fail "no summary"; }
without_annotations out >text
expect_harmless text summary.md
! grep -q '<b>' summary.md || fail "HTML in the summary"
