#!/usr/bin/env bash
# The farm's own git configuration starts no program and moves no request, whatever it says; no command follows it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm
first_row >row.json
mv entries made && mkdir entries wheels
git init -q --bare remote.git
record made
git -C farm push -q "$work/remote.git" wheel-ledger
git -C farm remote add origin "file://$work/remote.git"
cp made/000000.ledger.json entries/one.ledger.json
set_epoch 2
python3 -m zipfile -c "wheels/$(head -1 names)" row.json
python3 "$root/tests/ledger/git_config_traps.py" "$WHEELARCH" "$root/tests/ledger/git_config_keys.inc" farm
