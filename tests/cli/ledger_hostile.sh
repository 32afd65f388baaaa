#!/usr/bin/env bash
# Entries of a stranger: none gets outside of its place in the ledger, or into the log raw.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 2
git init -q .
expect_exit 0 ledger record entries/000000-*
before=$(git rev-parse wheel-ledger)
edited() { # edited PYTHON: entry 1, changed
  python3 - "$1" entries/000001-* <<'PYTHON' >x.ledger.json
import json, sys
d = json.load(open(sys.argv[2]))
exec(sys.argv[1])
sys.stdout.write(json.dumps(d))
PYTHON
}
refused() { # refused PATTERN: of the message about x.ledger.json
  expect_exit 3 ledger record x.ledger.json
  expect_empty out
  expect_harmless err
  grep -qE "^error: x\.ledger\.json( → [a-z.]+)?: $1" err || { cat err >&2; fail "not refused for: $1"; }
  [ "$(git rev-parse wheel-ledger)" = "$before" ] || fail "a refusal made a commit"
}
for package in ../x .git .. /x x/y 'x\\y' 'x\0y' '' 'x y' '::error::x' '##[error]' '\u202e' -x 'x\n'; do
  edited "d['package'] = '$package'"
  refused "'package' is not "
done
edited 'd["package"] = "x" * 10_000_000'
refused "'package' is not "
for name in '../' '/' '.git/' '.' '-' 'a b' 'x\0' '::error::' '\n' '\u00e9'; do
  edited "d['wheel']['filename'] = '$name' + d['wheel']['filename']"
  refused "(wheel\.filename|'wheel\.filename'|the wheel's file name)|'wheel"
done
edited 'd["wheel"]["filename"] = "x" * 10_000_000 + d["wheel"]["filename"]'
refused "'wheel\.filename' is not "
edited 'd["wheel"]["filename"] = "x.whl"'
refused "the wheel's file name has 1 field"
edited 'd["schema"] = 3'
refused "its schema is 3, this version reads up to 2$"
edited 'd["build_epoch"] = 2**64 - 1'
refused "'build_epoch' is not "
edited 'd["wheel"]["sha256"] = "::error::"'
refused "'wheel\.sha256' is not "
edited 'd["archs"]["sass"] = [["x"]]'
refused "'archs\.sass' is not "
edited 'd["x"] = "y"; d = [d]'
refused "not a JSON object$"
edited 'x = d; exec("for i in range(100): x[\"x\"] = {}; x = x[\"x\"]")'
refused "not JSON: too deep$"
edited '' && truncate -s -1 x.ledger.json
refused "not JSON: incomplete JSON$"
printf '{"schema": 1, "package": "\xff"}' >x.ledger.json
refused "not JSON: syntax error$"
truncate -s 65M x.ledger.json
refused "more than 64 MiB"

# collect records what is good and fails for the rest; it follows no link.
mkdir -p all/deep
cp entries/000001-* all/deep/
printf '{}' >all/x.ledger.json
ln -s / all/loop
expect_exit 3 ledger collect all
grep -q '^error: all/x.ledger.json: ' err || { cat err >&2; fail "not named"; }
grep -q '^recorded 1 wheel ' out || { cat out >&2; fail "not collected"; }

# What nothing relies on may be anything, and is shown harmless and short.
edited 'd.update(exists_key="k" * 10_000_000, version="::error::v\n##[error]x", members=[{"path": "\n::error::p", "sass": 5}, 7],
  cell={"cuda": "::x"}, history=[{"recorded_at": "\n::x"}, 5], toolchain=5, source="::error::", witnesses=["\u202e", 5],
  run={"server": "https://x\n::error::", "repository": "a b", "run_id": "1"}); d["archs"]["sass"] = ["##[error]", "\u202e"]'
expect_exit 0 ledger record x.ledger.json --replace
name=$(python3 -c 'import json; print(json.load(open("x.ledger.json"))["wheel"]["filename"])')
expect_exit 0 ledger show "$name"
expect_harmless out
[ "$(wc -c <out)" -lt 20000 ] || fail "show prints $(wc -c <out) bytes"
expect_exit 0 ledger list
expect_harmless out
expect_exit 0 ledger show "$name" --json -
expect_no_command out

# A file of the ledger that was damaged by other means is named, and nothing is made up in its place.
tree() { printf '100644 blob %s\tpkg00/%s.json\n' "$(echo "$1" | git hash-object -w --stdin)" "$name"; }
damaged=$(printf '100644 blob %s\t%s.json\n' "$(echo '{"schema": 1' | git hash-object -w --stdin)" "$name" | git mktree)
root_tree=$(printf '040000 tree %s\tpkg01\n' "$damaged" | git mktree)
git update-ref refs/heads/wheel-ledger "$(as_someone commit-tree -m damaged "$root_tree")"
for command in "show $name" list; do
  # shellcheck disable=SC2086
  expect_exit 3 ledger $command
  expect_empty out
  grep -qF "pkg01/$name.json: not JSON: incomplete JSON" err || { cat err >&2; fail "the damaged file is not named"; }
done
