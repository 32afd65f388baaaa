#!/usr/bin/env bash
# What a remote refuses is an error that shows git's words; the ledger stays as it was, and what was lost is never guessed.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 10
files=(entries/*)
fresh() { # a remote with one entry, and two clones that know of it
  rm -rf remote.git clone other
  make_remote remote.git
  git clone -q --depth=1 "$(url_of remote.git)" clone
  expect_exit 0 ledger record "${files[0]}" --farm clone
  cp -r clone other
  tip=$(git --git-dir=remote.git rev-parse wheel-ledger)
}
expect_untouched() {
  [ "$(git --git-dir=remote.git rev-parse wheel-ledger)" = "$tip" ] || fail "the branch was moved"
}
hook() { # hook NAME <SCRIPT
  cat >"remote.git/hooks/$1"
  chmod +x "remote.git/hooks/$1"
}

fresh
hook pre-receive <<'HOOK'
#!/bin/sh
echo "GH006: Protected branch update failed for refs/heads/wheel-ledger." >&2
echo "::error::Changes must be made through a pull request." >&2
exit 1
HOOK
expect_exit 3 ledger record "${files[1]}" --farm clone
expect_words err "^error: .*origin did not take the push to wheel-ledger: " "GH006: Protected branch update failed" \
  "Changes must be made through a pull request" "pre-receive hook declined" "contents: write"
expect_harmless err
expect_untouched
rm remote.git/hooks/pre-receive
expect_exit 0 ledger record "${files[1]}" --farm clone

# The user's own hooks have no say, and settings meant for people do not stop it.
fresh
for name in pre-push reference-transaction post-commit; do
  printf '#!/bin/sh\ntouch "%s/ran"\nexit 1\n' "$work" >"clone/.git/hooks/$name"
  chmod +x "clone/.git/hooks/$name"
done
git -C clone config push.gpgSign true
git -C clone config commit.gpgSign true
git -C clone config fetch.prune true
git -C clone config push.recurseSubmodules on-demand
git --git-dir=remote.git config receive.denyNonFastForwards true
git --git-dir=remote.git config receive.denyDeletes true
expect_exit 0 ledger record "${files[1]}" --farm clone
[ ! -e ran ] || fail "a hook of the user ran"
expect_ledger remote.git 2

# Rewritten: the other clone has pushed the branch back to where it was.
fresh
expect_exit 0 ledger record "${files[1]}" --farm clone
newer=$(git --git-dir=remote.git rev-parse wheel-ledger)
git --git-dir=remote.git update-ref refs/heads/wheel-ledger "$tip"
expect_exit 3 ledger record "${files[2]}" --farm clone
expect_error <<ERROR
error: refs/heads/wheel-ledger of origin was rewritten: it is at $tip, whose history lacks $newer, at which it was last fetched
    fix: find out who pushed it by force, and record again what was lost; to go on from the new history, forget the old one here: \`git update-ref -d refs/remotes/origin/wheel-ledger $newer\`
ERROR
expect_untouched
git -C clone update-ref -d refs/remotes/origin/wheel-ledger "$newer"
expect_exit 0 ledger record "${files[1]}" "${files[2]}" --farm clone
expect_ledger remote.git 3

# Deleted.
fresh
git --git-dir=remote.git update-ref -d refs/heads/wheel-ledger
expect_exit 3 ledger record "${files[1]}" --farm clone
expect_error <<ERROR
error: refs/heads/wheel-ledger of origin was deleted: it was at $tip when it was last fetched
    fix: restore it: \`git push origin $tip:refs/heads/wheel-ledger\`; or, if it is meant, forget the old ledger here: \`git update-ref -d refs/remotes/origin/wheel-ledger $tip\`
ERROR
git -C clone push -q origin "$tip:refs/heads/wheel-ledger"
expect_exit 0 ledger record "${files[1]}" --farm clone
expect_ledger remote.git 2

# No permission: a server that lets read only.
fresh
mkdir served
mv remote.git served/
serve served
git -C clone remote set-url origin "http://127.0.0.1:$port/remote.git"
git --git-dir=served/remote.git config http.receivepack false
expect_exit 3 ledger record "${files[1]}" --farm clone
expect_words err "origin did not take the push to wheel-ledger: " "403" "contents: write"
[ "$(git --git-dir=served/remote.git rev-parse wheel-ledger)" = "$tip" ] || fail "the branch was moved"

# Gone.
git -C clone remote set-url origin "$(url_of served)/gone.git"
expect_exit 3 ledger record "${files[1]}" --farm clone
expect_words err "^error: .*cannot fetch wheel-ledger of origin: fatal: .*gone.git.* does not appear to be a git repository"
# What was fetched before can still be read.
expect_exit 0 ledger list --farm clone

# A branch that is checked out would seem to lose its files.
git init -q -b wheel-ledger tree
as_someone -C tree commit -q --allow-empty -m start
expect_exit 3 ledger record "${files[1]}" --farm tree
expect_error <<'ERROR'
error: the branch wheel-ledger is checked out in a work tree, which a commit would leave behind
    fix: switch that work tree to another branch
ERROR
git -C tree checkout -q -b work
expect_exit 0 ledger record "${files[1]}" --farm tree
expect_ledger tree/.git 1 2
