#!/usr/bin/env bash
# The token is for git and gh: no other program that the action starts finds it in its environment.
. "$(dirname "$0")/lib.sh"
need_fixtures
need git
git init -q .
wheel ext_no_ptx.so=pkg/_C.so
fake_cuobjdump 13.0 <<EOT
env >"$work/seen"
exit 1
EOT
for command in gate assert audit; do
  rm -f seen
  step_environment
  set_inputs command=$command wheels=$wheel arch-list="8.0;9.0" witness=both cuobjdump=fake/cuobjdump token=secret-token
  run action
  [ -s seen ] || { cat out err >&2; fail "cuobjdump was not asked by $command"; }
  ! grep -n 'secret-token' seen >&2 || fail "the token reached cuobjdump"
done
