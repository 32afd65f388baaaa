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
  expect_line err "error: $farm: it has the files of a git repository, but is a folder of another one"
done
[ ! -e run ] || fail "a program of the planted configuration was run"

# Other ways to the same end.
for config in '\tbare = false\n\tworktree = ..\n' '\tfilemode = true\n'; do
  printf "[core]\n${config}[remote \"origin\"]\n\turl = %s\n\tuploadpack = touch %s; git-upload-pack\n" "$work/ws" "$work/run" >ws/farm/config
  expect_exit 3 ledger list --farm ws/farm
  expect_line err "error: ws/farm: it has the files of a git repository, but is a folder of another one"
done
[ ! -e run ] || fail "a program of the planted configuration was run"
# In a workflow an artifact, which nobody tracks, may have brought them; or there is no .git around.
GITHUB_ACTIONS=true GITHUB_WORKSPACE=$work/ws expect_exit 3 ledger list --farm ws/farm
rm -rf ws/.git
GITHUB_ACTIONS=true GITHUB_WORKSPACE=$work/ws expect_exit 3 ledger list --farm ws/farm
grep -q 'is a folder of another one$' err || { cat err >&2; fail "no error"; }
[ ! -e run ] || fail "a program of the planted configuration was run"

# One of our own within a work tree is no such thing.
git init -q ws && git init -q --bare ws/own.git
expect_exit 3 ledger list --farm ws/own.git
expect_line err "error: there is no ledger: no branch wheel-ledger"
# A git folder that lies apart from its work tree is reached through the .git file there.
git init -q --separate-git-dir=apart.git tree
expect_exit 3 ledger list --farm tree
expect_line err "error: there is no ledger: no branch wheel-ledger"
