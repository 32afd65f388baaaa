#!/usr/bin/env bash
# lint --fetch: the token is for the server of the workflow, and for no other that a policy names.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
lint_farm "12.8=8.0"
mkdir bin
cat >bin/git <<'GIT'
#!/bin/sh
[ "$1" != --version ] || { echo git version 2.40.0; exit; }
env | sed -n 's/^GIT_CONFIG_VALUE_[0-9]*=\(..*\)/\1/p' >"$SEEN"
exit 1
GIT
chmod +x bin/git
export PATH=$work/bin:$PATH SEEN=$work/seen WHEELARCH_TOKEN=example-token
header="AUTHORIZATION: basic $(printf 'x-access-token:example-token' | base64)"
is_sent() { # is_sent REPOSITORY TEXT: in the whole configuration that git is given by its environment
  printf 'source_repo: %s\nsource_tag: v1\n' "$1" >farm/packages/example_attn.yml
  rm -f seen
  expect_exit 3 lint --farm farm --fetch --cache kept
  [ "$(cat seen)" = "$2" ] || { cat seen err >&2; fail "$1"; }
  ! grep -q example-token err || fail "the token was shown"
}
is_sent example-org/example_attn "$header"
is_sent https://github.com/example-org/example_attn "$header"
is_sent https://github.com.example.org/example-org/example_attn ""
is_sent https://example.org/example_attn ""
export GITHUB_SERVER_URL=https://git.example.org
is_sent example-org/example_attn "$header"
is_sent https://git.example.org/example-org/example_attn "$header"
is_sent https://github.com/example-org/example_attn ""
