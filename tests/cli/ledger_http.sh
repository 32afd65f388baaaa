#!/usr/bin/env bash
# A server that demands one Authorization header gets one, wherever the credentials come from, and nobody sees a token.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need base64
token=ghs_exampleTokenOfNobody
encoded=$(printf 'x-access-token:%s' "$token" | base64 -w0)
header="AUTHORIZATION: basic $encoded"

mkdir served
make_remote served/remote.git
git --git-dir=served/remote.git config http.receivepack true
serve served "$token"
url=http://127.0.0.1:$port/remote.git
# The server of the workflow, which is why a token may go to it by http.
export GITHUB_SERVER_URL=http://127.0.0.1:$port RUNNER_TEMP=$work/temp
make_entries entries 20
files=(entries/*)
git -c "http.extraheader=$header" clone -q --depth=1 "$url" plain

# The log of what the program asked: nothing but good answers to one header each.
expect_one_header() {
  awk '$1 != 200 || $2 != 1' served/http.log >bad
  [ -s served/http.log ] && [ ! -s bad ] || { cat bad >&2; fail "$1: not one header in each request"; }
  : >served/http.log
}
records() { # records CLONE NUMBER NAME
  : >served/http.log
  expect_exit 0 ledger record "${files[$2]}" --farm "$1"
  expect_one_header "$3"
}
clone() { rm -rf clone && cp -r plain clone; }
as_checkout_v5() { git -C clone config "http.http://127.0.0.1:$port/.extraheader" "$header"; }
as_checkout_v6() {
  mkdir -p temp
  git config -f temp/git-credentials-1.config "http.http://127.0.0.1:$port/.extraheader" "$header"
  git -C clone config "includeIf.gitdir:$work/clone/.git.path" "$work/temp/git-credentials-1.config"
}

clone && as_checkout_v5
records clone 0 "header in .git/config"
clone && as_checkout_v6
records clone 1 "header by includeIf"

export WHEELARCH_TOKEN=$token
clone
records clone 2 "token alone"
as_checkout_v5
records clone 3 "token and header in .git/config"
clone && as_checkout_v6
records clone 4 "token and header by includeIf"
git config --global "http.$url.extraheader" "AUTHORIZATION: basic c3RhbGU6c3RhbGU="
records clone 5 "token and a stale header for the very URL"
git config --global --unset "http.$url.extraheader"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraheader "GIT_CONFIG_VALUE_0=$header"
records clone 6 "token and a header in the environment"
unset GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
expect_ledger served/remote.git 7

# Neither on a command line nor in a file: a git that writes down how it was called.
mkdir seen
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s/seen/arguments"\nexec "%s" "$@"\n' "$work" "$(command -v git)" >seen/git
chmod +x seen/git
clone
PATH=$work/seen:$PATH records clone 7 "token"
[ -s seen/arguments ] || fail "the other git was not used"
! grep -rlF -e "$token" -e "$encoded" seen clone out err || fail "the token was written down"

# A token that the server does not take: its words, without the token.
clone
WHEELARCH_TOKEN=wrongTokenOfNobody expect_exit 3 ledger record "${files[8]}" --farm clone
expect_words err "cannot fetch wheel-ledger of origin: " "Authentication failed|could not read Username" "^ *fix: "
! grep -qF -e wrongTokenOfNobody -e "$(printf 'x-access-token:wrongTokenOfNobody' | base64 -w0)" out err || fail "the token was shown"
# Nor does a token go to any other server by http: nothing is asked.
: >served/http.log
GITHUB_SERVER_URL="" expect_exit 3 ledger record "${files[8]}" --farm clone
expect_words err "the token would go to http://127.0.0.1:$port/remote.git in clear" "^ *fix: .*https"
[ ! -s served/http.log ] || fail "the server was asked without https"
unset WHEELARCH_TOKEN
expect_exit 3 ledger record "${files[8]}" --farm clone
expect_words err "could not read Username|Authentication failed|terminal prompts disabled"
WHEELARCH_TOKEN=$'two\nlines' expect_exit 2 ledger record "${files[8]}" --farm clone

# Several at once.
export WHEELARCH_TOKEN=$token
jobs=()
: >served/http.log
for i in 9 10 11 12 13 14 15 16; do
  cp -r plain "clone$i"
  "$WHEELARCH" ledger record "${files[i]}" --farm "clone$i" >"log.$i" 2>&1 &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || { cat log.* >&2; fail "a writer failed"; }; done
expect_one_header "writers at once"
expect_ledger served/remote.git 16
