#!/usr/bin/env bash
# Rows of a stranger: what is no text is refused, what is text gets into JSON and nowhere else.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
wheel ext_no_ptx.so=pkg/_C.so
remember $wheel
refused() { # refused EXIT: of the row in row.json
  expect_exit "$1" gate --witness native --cell row.json $wheel
  cat out err >both
  expect_harmless both
  expect_unchanged
  expect_no_file '*.ledger.json' 'pwned*'
}
while IFS= read -r row; do
  printf '%s' "$row" >row.json
  refused 2
done <<'EOT'

null
[]
"8.0;9.0"
{
{"arch_list": "8.0;9.0"} {}
{"cuda": 13.0, "arch_list": "8.0;9.0"}
{"python": 3.12, "arch_list": "8.0;9.0"}
{"arch_list": 8.0}
{"arch_list": ["8.0", "9.0"]}
{"package": {"name": "pkg"}, "arch_list": "8.0;9.0"}
{"version": true, "arch_list": "8.0;9.0"}
{"build_epoch": "3", "arch_list": "8.0;9.0"}
{"build_epoch": 1.5, "arch_list": "8.0;9.0"}
{"build_epoch": 1e300, "arch_list": "8.0;9.0"}
{"platform": "macos", "arch_list": "8.0;9.0"}
{"platform": "::error::x\n##[error]y\u001b[31m", "arch_list": "8.0;9.0"}
{"arch_list": "$(touch pwned-1)"}
{"arch_list": "8.0\n::set-output name=verdict::match"}
{"cuda": "##[error]\u202e", "arch_list": "8.0;9.0"}
{"package": "../../x", "arch_list": "8.0;9.0"}
{"package": ".git", "arch_list": "8.0;9.0"}
{"package": "a\u0000b", "arch_list": "8.0;9.0"}
{"package": "::error::x", "arch_list": "8.0;9.0"}
EOT
printf '{"package": "\xff", "arch_list": "8.0;9.0"}' >row.json
refused 2
python3 -c 'print("[" * 100000)' >row.json
refused 2
python3 -c 'print("{\"x\": \"" + "y" * (1 << 20) + "\", \"arch_list\": \"8.0;9.0\"}")' >row.json
refused 2
mkdir folder.json
expect_exit 3 gate --witness native --cell folder.json $wheel
expect_exit 3 gate --witness native --cell /dev/null/x $wheel

# Fields in which any text may stand.
python3 - <<'PYTHON' >row.json
import json
evil = "::error::x\n##[error]$(touch pwned-2)`touch pwned-3`\u202e\u0007\u0000\"'\\" + "é" * 1000
print(json.dumps({"arch_list": "8.0;9.0", "exists_key": evil, "source_repo": evil, "source_tag": evil, "source_commit": evil}))
PYTHON
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md
expect_exit 0 gate --witness native --cell row.json $wheel
expect_harmless out err summary.md
stamp_of $wheel >stamp.json
check_json stamp.json 'd["source"] == {"repo": d["exists_key"], "ref": d["exists_key"], "commit": d["exists_key"]}' \
  'd["exists_key"] == __import__("json").load(open("row.json"))["exists_key"]'
grep -q '##\[' $wheel.ledger.json || fail "the entry lost text"
expect_no_file 'pwned*'

# They show up harmless in the ledger's commands.
git init -q .
expect_exit 0 ledger record $wheel.ledger.json
expect_harmless out err summary.md
expect_exit 0 ledger show $wheel
expect_harmless out err
expect_exit 0 ledger show $wheel --json -
expect_no_command out
