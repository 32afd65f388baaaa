# Shared by the ledger's scenarios, which source it after tests/cli/lib.sh.
#
#   LEDGER_WRITERS  how many write at once (64)
# shellcheck shell=bash disable=SC2034,SC2154
need git
writers=${LEDGER_WRITERS:-64}
for variable in $(env | sed -n 's/^\(GIT_[A-Z_0-9]*\)=.*/\1/p'); do unset "$variable"; done
unset WHEELARCH_TOKEN SSH_ASKPASS
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$work/home/.gitconfig
mkdir -p "$HOME"
# For the scenarios' own commits; the program must do without.
as_someone() { git -c user.name=example-org -c user.email=builds@example.org "$@"; }

# $entries/NUMBER-WHEEL.ledger.json; the function's arguments are those of make_entries.py.
make_entries() { python3 "$root/tests/ledger/make_entries.py" "$@"; }

# make_remote FOLDER: a bare repository with two commits on main, so that a shallow clone of it is one.
make_remote() {
  git init -q --bare "$1"
  git --git-dir="$1" symbolic-ref HEAD refs/heads/main
  local tree first second
  tree=$(git --git-dir="$1" mktree </dev/null)
  first=$(as_someone --git-dir="$1" commit-tree -m first "$tree")
  second=$(as_someone --git-dir="$1" commit-tree -m second -p "$first" "$tree")
  git --git-dir="$1" update-ref refs/heads/main "$second"
}
url_of() { echo "file://$(realpath "$1")"; }

# expect_ledger GIT_DIR COUNT [MOST_COMMITS]: that many whole entries, in a history without branches, in a sound repository.
expect_ledger() {
  local git=(git "--git-dir=$1") names merges commits
  "${git[@]}" fsck --strict --no-dangling >fsck.log 2>&1 || { cat fsck.log >&2; fail "git fsck objects to $1"; }
  "${git[@]}" ls-tree -r --name-only wheel-ledger >names
  names=$(wc -l <names)
  [ "$names" = "$2" ] || { cat names >&2; fail "$names entries instead of $2"; }
  merges=$("${git[@]}" rev-list --min-parents=2 --count wheel-ledger)
  [ "$merges" = 0 ] || fail "$merges merges in the history"
  commits=$("${git[@]}" rev-list --count wheel-ledger)
  [ "$commits" -le "${3:-$2}" ] || fail "$commits commits for $2 entries"
  [ "$("${git[@]}" rev-list --max-parents=0 --count wheel-ledger)" = 1 ] || fail "the history has more than one start"
}

# expect_words FILE PATTERN...: the error shows them, whatever else it says.
expect_words() {
  local file=$1 pattern
  shift
  for pattern in "$@"; do
    grep -qE -e "$pattern" "$file" || { cat "$file" >&2; fail "no /$pattern/ in $file"; }
  done
}

# serve ROOT [TOKEN]: the repositories below ROOT at http://127.0.0.1:$port, until the scenario ends.
serve() {
  [ -x "$(git --exec-path)/git-http-backend" ] || lacking "git http-backend"
  : >port
  python3 "$root/tests/ledger/git_http_server.py" "$@" >port &
  server=$!
  trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
  local i
  for ((i = 0; i < 100; i++)); do
    port=$(cat port)
    [ -z "$port" ] || return 0
    sleep 0.1
  done
  fail "the HTTP server did not start"
}
