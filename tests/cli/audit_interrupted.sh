#!/usr/bin/env bash
# audit of releases, ended by a signal while a wheel is downloaded: what was downloaded is gone, and so is gh.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/gh_lib.sh"
need_fixtures
need pgrep
export HOME=$work TMPDIR=$work/scratch
mkdir -p released scratch farm/packages
git init -q farm
name=a_pkg-1.0-cp312-cp312-linux_x86_64.whl
made_wheel released a_pkg 1.0 cp312-cp312-linux_x86_64 compress_none.so=a_pkg/_C.so
says '{"releases": {"a_pkg-latest": [{"path": "'"$work/released/$name"'"}]},
  "faults": {"/releases/download/": {"body": "x" * 1000, "type": "application/octet-stream", "cut": 500, "stall": True}}}'

wait_for() { # wait_for COMMAND...: up to a minute
  for ((i = 0; i < 1200; i++)); do
    ! "$@" || return 0
    sleep 0.05
  done
  cat err >&2
  fail "in vain: $*"
}
is_downloading() { grep -q /releases/download/ says.json.log 2>/dev/null && [ -e "$(echo scratch/wheelarch-*/0/"$name")" ]; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
for signal in TERM:143 HUP:129 INT:130; do
  rm -f says.json.log
  # A shell starts what is in its background with INT ignored.
  python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$WHEELARCH" audit --witness native --repo example-org/farm --package a_pkg --farm farm >out 2>err &
  audit=$!
  wait_for is_downloading
  gh=$(pgrep -P $audit -x gh)
  kill "-${signal%:*}" $audit
  code=0
  wait $audit || code=$?
  [ $code = "${signal#*:}" ] || fail "exit $code after ${signal%:*}"
  [ -z "$(ls scratch)" ] || fail "after ${signal%:*} is left: $(ls -R scratch)"
  wait_for is_gone "$gh"
done

# Whoever started it so that a signal is ignored (nohup) is obeyed.
rm -f says.json.log
(
  trap '' HUP
  exec "$WHEELARCH" audit --witness native --repo example-org/farm --package a_pkg --farm farm >out 2>err
) &
audit=$!
wait_for is_downloading
kill -HUP $audit
kill -0 $audit || fail "it did not ignore HUP"
kill -TERM $audit
wait $audit || true
[ -z "$(ls scratch)" ] || fail "is left: $(ls -R scratch)"
