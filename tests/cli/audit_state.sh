#!/usr/bin/env bash
# audit --state: a sweep that was killed goes on where it was, and its result is that of one that was not.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/audit_lib.sh"
made_farm
audit 3 --json whole.json made/wheels
all=$(python3 -c 'import json; print(json.load(open("whole.json"))["wheels"])')
bad=$(python3 -c 'import json; print(json.load(open("whole.json"))["counts"]["unreadable"])')
[ "$bad" -gt 0 ] || fail "nothing is unreadable"

# Killed again and again: each run does some wheels and keeps them.
lines() { if [ -f state ]; then wc -l <state; else echo 0; fi; }
killed_at() { # killed_at LINES: kills a run when the state has that many; how many it has then goes to $kept
  "$WHEELARCH" audit --witness native --farm made/farm --state state --jobs 1 made/wheels >killed.out 2>killed.err &
  local pid=$!
  while kill -0 $pid 2>/dev/null && [ "$(lines)" -lt "$1" ]; do :; done
  kill -KILL $pid 2>/dev/null || true
  wait $pid 2>/dev/null || true
  kept=$(lines)
}
for try in $(seq 30); do # a fast machine may be done before it is killed
  rm -f state
  killed_at 10
  [ "$kept" -lt "$((all - 10))" ] && break
done
[ "$kept" -lt "$((all - 10))" ] || fail "no run was interrupted in $try tries"
before=$kept
killed_at $((before + 10))
[ "$kept" -ge "$before" ] || fail "results were lost: $kept lines after $before"
printf '{"size":1,"modified":2,"result":{"file":"made/whe' >>state # torn
audit 3 --json resumed.json --state state made/wheels
grep -q "^[0-9]* of $all wheels are done already, by state$" err || { cat err >&2; fail "not said"; }
cmp whole.json resumed.json || fail "the results differ"
# What was unreadable is not kept: the network or the disk may have failed.
[ "$(wc -l <state)" = $((all + 1 - bad)) ] || fail "$(wc -l <state) lines of state"

# All is done: only what was unreadable is read again, and the file stays as it is.
remember state
audit 3 --json again.json --state state made/wheels
expect_line err "$((all - bad)) of $all wheels are done already, by state"
cmp whole.json again.json || fail "the results differ"
expect_unchanged

# A wheel that has changed is looked at again.
name=$(find made/wheels -name 'ok_ptx*' | sort | head -1)
cp "$name" kept
printf x >>"$name"
audit 3 --json changed.json --state state made/wheels
expect_line err "$((all - 1 - bad)) of $all wheels are done already, by state"
python3 -c 'import json, sys
a, b = ({r["file"]: r["verdict"] for r in json.load(open(p))["results"]} for p in ("whole.json", "changed.json"))
sys.exit({f: b[f] for f in a if a[f] != b[f]} != {sys.argv[1]: "unreadable"})' "$name" || fail "not judged anew"
cp kept "$name"

# Another policy, or other options, are another sweep.
sed -i 's/^arch_list: .*/arch_list: "8.0"/' made/farm/packages/ok_ptx.yml
audit 3 --json moved.json --state state made/wheels
expect_line err "state is of another sweep (ledger, policy, program or options differ): begun anew"
check_json moved.json 'd["packages"]["ok_ptx"]["config-moved"] == 8'
audit 3 --exclude '*.x' --state state made/wheels
expect_line err "state is of another sweep (ledger, policy, program or options differ): begun anew"

# What is no state file is never written to.
for text in 'notes of mine' '{"a": 1}' ''; do
  printf '%s' "$text" >other
  [ -n "$text" ] || continue
  remember other
  audit 2 --state other made/wheels
  expect_error <<'EOT'
error: other: it is no state file of `wheelarch audit`, and is left as it is
    fix: give --state a file of its own
EOT
  expect_unchanged
done
audit 3 --state other made/wheels # empty: a new one
audit 2 --state "$name" made/wheels
grep -qF "error: --state would overwrite $name" err || { cat err >&2; fail "over a wheel"; }
