#!/usr/bin/env bash
# A bare repository whose files a pull request added to the farm does not take the farm's place; nothing of its
# configuration is run.
. "$(dirname "$0")/lib.sh"
need git
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
mkdir -p "$HOME" && git config --global user.name example-org && git config --global user.email builds@example.org
git init -q ws && mkdir -p ws/farm/{objects,refs/heads}
touch ws/farm/{objects,refs/heads}/.keep
echo 'ref: refs/heads/main' >ws/farm/HEAD
printf '[core]\n\tbare = true\n[remote "origin"]\n\turl = %s\n\tuploadpack = touch %s; git-upload-pack\n' "$work/ws" "$work/run" >ws/farm/config
git -C ws add -Af . && git -C ws commit -qm farm
for farm in ws/farm ws/farm/objects; do
  expect_exit 3 ledger list --farm $farm
  expect_line err "error: $farm: its files are part of another repository, in which they look like one of their own"
done
[ ! -e run ] || fail "a program of the planted configuration was run"

# One of our own within a work tree is no such thing.
git init -q --bare ws/own.git
expect_exit 3 ledger list --farm ws/own.git
expect_line err "error: there is no ledger: no branch wheel-ledger"
