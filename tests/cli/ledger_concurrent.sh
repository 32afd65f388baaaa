#!/usr/bin/env bash
# Many writers at once lose nothing: in one repository, and from clones that push to one.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"

# record_all WAYS...: each entry by a process of its own; the nth writes to the nth folder.
record_all() {
  local entry jobs=() i=0
  for entry in entries/*; do
    "$WHEELARCH" ledger record "$entry" --farm "$1$i" >"log.$i" 2>&1 &
    jobs+=($!)
    i=$((i + 1))
  done
  for i in "${!jobs[@]}"; do
    wait "${jobs[i]}" || { cat "log.$i" >&2; fail "writer $i failed"; }
  done
}

make_entries entries "$writers"

git init -q --bare one.git
for ((i = 0; i < writers; i++)); do ln -s one.git "here$i"; done
record_all here
expect_ledger one.git "$writers"
[ "$(git --git-dir=one.git rev-list --count wheel-ledger)" = "$writers" ] || fail "writers shared a commit"

make_remote remote.git
git clone -q --depth=1 "$(url_of remote.git)" first
for ((i = 0; i < writers; i++)); do cp -r first "clone$i"; done
record_all clone
expect_ledger remote.git "$writers"
for ((i = 0; i < writers; i++)); do
  [ -z "$(git -C "clone$i" status --porcelain)" ] || fail "the work tree of clone $i was touched"
  [ "$(git -C "clone$i" branch --format='%(refname:short)')" = main ] || fail "clone $i has a local branch more"
done

# All at once again, in one commit, changes nothing.
tip=$(git --git-dir=remote.git rev-parse wheel-ledger)
expect_exit 0 ledger collect entries --farm clone0
[ "$(git --git-dir=remote.git rev-parse wheel-ledger)" = "$tip" ] || fail "recording again made a commit"
