#!/usr/bin/env bash
# Writers that are killed at any moment leave the ledger as it was or complete; the next run completes it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"

make_entries entries "$writers"

# kill_some FOLDER MILLISECONDS: every entry at once; each writer to the folder, or to one of its own if there is FOLDER0.
kill_some() {
  local entry i=0 farm running
  for entry in entries/*; do
    farm=$1
    [ ! -e "$1$i" ] || farm=$1$i
    python3 "$root/tests/ledger/kill_at_random.py" "$2" "$WHEELARCH" ledger record "$entry" --farm "$farm" &
    i=$((i + 1))
  done
  mapfile -t running < <(jobs -p | grep -vx "${server:-0}")
  wait "${running[@]}"
}
# What a killed writer left is whole: each file that is there is the one that was to be recorded.
expect_whole() { # GIT_DIR
  local path
  git "--git-dir=$1" fsck --strict --no-dangling >fsck.log 2>&1 || { cat fsck.log >&2; fail "git fsck objects to $1"; }
  git "--git-dir=$1" rev-parse -q --verify wheel-ledger >/dev/null || return 0
  git "--git-dir=$1" ls-tree -r --name-only wheel-ledger >names
  while read -r path; do
    git "--git-dir=$1" cat-file blob "wheel-ledger:$path" >found
    python3 - found entries/*-"$(basename "$path" .json)".ledger.json <<'PYTHON' || fail "$path is not as it was given"
import json, sys
sys.exit(json.load(open(sys.argv[1])) != json.load(open(sys.argv[2])))
PYTHON
  done <names
  echo "$(wc -l <names) of $writers survived in $1"
}

git init -q --bare one.git
kill_some one.git 2000
expect_whole one.git
expect_exit 0 ledger collect entries --farm one.git
expect_ledger one.git "$writers"

# The same through a server, which outlives the writers.
mkdir served
make_remote served/remote.git
git --git-dir=served/remote.git config http.receivepack true
serve served
git clone -q --depth=1 "http://127.0.0.1:$port/remote.git" clone
few=$((writers / 8 + 1))
for ((i = 0; i < few; i++)); do cp -r clone "clone$i"; done
kill_some clone 4000
expect_whole served/remote.git
for ((i = 0; i < few; i++)); do
  git -C "clone$i" fsck --strict --no-dangling >fsck.log 2>&1 || { cat fsck.log >&2; fail "git fsck objects to clone$i"; }
done
expect_exit 0 ledger collect entries --farm clone
expect_ledger served/remote.git "$writers"
