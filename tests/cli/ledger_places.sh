#!/usr/bin/env bash
# The repository may be of any kind and anyone's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 30
files=(entries/*)
next=0
records() { # records FOLDER GIT_DIR: one more entry from there; all that were recorded so far are in the ledger
  expect_exit 0 ledger record "${files[next]}" --farm "$1"
  next=$((next + 1))
  expect_ledger "$2" "$next"
  local name=${files[next - 1]#entries/??????-}
  expect_exit 0 ledger show "${name%.ledger.json}" --farm "$1"
}
make_remote remote.git
url=$(url_of remote.git)

git clone -q --depth=1 "$url" shallow
mkdir -p shallow/packages
records shallow/packages remote.git # from a folder below; and there is no such branch yet
git clone -q "$url" full
records full remote.git
git -C full checkout -q --detach
records full remote.git
git -C full worktree add -q --detach "$work/linked"
records linked remote.git
git -C shallow worktree add -q --detach "$work/shallow linked"
records "shallow linked" remote.git
git clone -q --bare "$url" bare.git
records bare.git remote.git
git clone -q "$url" "mit Leerzeichen und Ünïcode"
records "mit Leerzeichen und Ünïcode" remote.git
git clone -q --separate-git-dir="$work/elsewhere.git" "$url" file
records file remote.git
git clone -q --single-branch --branch main "$url" single
records single remote.git
git init -q unborn
git -C unborn remote add upstream "$url"
records unborn remote.git # HEAD without a commit; the only remote is not called origin
git --git-dir=remote.git config uploadpack.allowFilter true
git clone -q --filter=blob:none "$url" partial
records partial remote.git
git clone -q --filter=blob:none --depth=1 --sparse "$url" sparse
records sparse remote.git
git -C sparse config extensions.worktreeConfig true
records sparse remote.git
ln -s shallow link
records link remote.git

# Surroundings that mean another repository.
git init -q decoy
GIT_DIR=$work/decoy/.git GIT_WORK_TREE=$work/decoy GIT_INDEX_FILE=$work/decoy/index records shallow remote.git
LANGUAGE=de records shallow remote.git

# Another user's, as in a container job; the user's own configuration is left alone.
if [ "$(id -u)" = 0 ]; then
  cp -r shallow owned
  chown -R 1001:1001 owned
  records owned remote.git
  [ ! -e "$HOME/.gitconfig" ] || fail "the user's configuration was changed"
fi

# Without git, a remote's ledger can be read, and a local one written.
mkdir empty
expect_git_less() { PATH=$work/empty run "$@"; }
expect_git_less ledger list --farm shallow
[ "$code" = 0 ] || { cat err >&2; fail "reading needs git"; }
expect_git_less ledger record "${files[next]}" --farm shallow
[ "$code" = 3 ] || fail "exit $code without git"
expect_error <<'ERROR'
error: there is no `git` in the folders of PATH, which fetching and pushing need
    fix: install git; reading a ledger, writing one in a repository without remotes, and lint --sources go without
ERROR
git init -q local
expect_git_less ledger record "${files[next]}" --farm local
[ "$code" = 0 ] || { cat err >&2; fail "a local ledger needs git"; }
expect_ledger local/.git 1

# No repository at all: what actions/checkout leaves where there is no git.
mkdir archive
expect_exit 3 ledger record "${files[next]}" --farm archive
expect_error <<'ERROR'
error: archive: not in a git repository
    fix: check the repository out with git: where `git` is missing or too old, actions/checkout downloads the files alone, without .git, so install git (2.18 or newer) before that step
ERROR
expect_exit 3 ledger record "${files[next]}" --farm absent
expect_words err "^error: absent: no such folder"
expect_exit 2 ledger record "${files[next]}" --farm shallow --branch 'a..b'
expect_exit 2 ledger record "${files[next]}" --farm shallow --remote nowhere
git -C unborn remote add second "$url"
expect_exit 2 ledger record "${files[next]}" --farm unborn
expect_words err "has the remotes second, upstream, and none is called origin" "--remote"

git init -q --object-format=sha256 sha256
expect_exit 3 ledger record "${files[next]}" --farm sha256
expect_words err "^error: sha256: " "SHA-1"
git init -q reftable
git -C reftable config core.repositoryFormatVersion 1
git -C reftable config extensions.refStorage reftable
expect_exit 3 ledger record "${files[next]}" --farm reftable
expect_words err "^error: reftable: cannot open the git repository: .*refstorage" "references as files"
