#!/usr/bin/env bash
# Member names, METADATA and WHEEL are text of a stranger: harmless in the log, whole in the stamp.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<'PYTHON'
library = members.pop("pkg/_C.so")
for name in ("::error::x.so", "  ::add-mask::1.so", "pkg/##[error]y.so", "%0A::error::z.so", "pkg/$(touch pwned).so"):
    members[name] = [zipfile.ZipInfo("x"), library[1]]
members[f"{info}/METADATA"][1] += b"Summary: \n ::error::x\nKeywords: \x1b[31m##[error]\n\n::error::body\n"
PYTHON
expect_exit 0 gate --arch-list "8.0;9.0" --witness native $wheel
expect_harmless out err
stamp_of $wheel >stamp.json
check_json stamp.json '{m["path"] for m in d["members"]} == {"::error::x.so", "  ::add-mask::1.so", "pkg/##[error]y.so", "%0A::error::z.so", "pkg/$(touch pwned).so"}'
expect_exit 0 stamp --witness native --json - $wheel
expect_no_command out

export GITHUB_ACTIONS=true
refused() { # what is wrong is in METADATA, WHEEL or RECORD
  remember $wheel
  expect_exit 1 gate --arch-list "8.0;9.0" --witness native $wheel
  cat out err | grep -vE '^::(error|warning) title=wheelarch%3A [a-z-]*::pkg-1.0-' >both
  expect_harmless both
  expect_exit 1 stamp --witness native $wheel
  cat out err | grep -vE '^::(error|warning) title=wheelarch%3A [a-z-]*::pkg-1.0-' >both
  expect_harmless both
  expect_unchanged
}
evil='b"\r\x1b[31m::error::x ##[error]y \xff \xe2\x80\xae %0A::error::z"'
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0" + '"$evil"' + b"\n"'
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: " + '"$evil"' + b"\nVersion: 1.0\n"'
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/WHEEL"][1] += b"Tag: " + '"$evil"' + b"\nBuild: ::error::\n"'
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/RECORD"][1] += '"$evil"' + b",md5=::error::,##[error]\n"'
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members["::error::x.dist-info/METADATA"] = [zipfile.ZipInfo("x"), b""]'
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members["pkg/\u202egnp.so"] = [zipfile.ZipInfo("x"), members["pkg/_C.so"][1]]' # no index takes it
refused
wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] += b"Keywords: \xff##[error]\n"'
refused
[ -z "$(find . -name 'pwned*')" ] || fail "text of a wheel was run"
