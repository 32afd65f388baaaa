#!/usr/bin/env bash
# Signals at any moment leave nothing behind (W12), and of several runs on one wheel one wins as a whole (W13).
. "$(dirname "$0")/lib.sh"
need_fixtures
rounds=${ROUNDS:-8}
head -c 6000000 /dev/urandom >data.bin
wheel ext_no_ptx.so=pkg/_C.so ./data.bin=pkg/data.bin
mv $wheel unstamped.whl
mkdir race
race=race/$wheel

fresh() {
  cp unstamped.whl "$race"
  rm -f "$race.ledger.json"
}
gate() { # gate EPOCH: in the background; the exit code goes to EPOCH.code
  (
    code=0
    "$WHEELARCH" gate --arch-list "8.0;9.0" --witness native --build-epoch "$1" "$race" >"$1.out" 2>"$1.err" || code=$?
    echo $code >"$1.code"
  ) &
}
# struck SIGNAL MILLISECONDS PROGRAM ARGUMENT...: not by a job of the shell, which ignores INT and, just forked, still has the
# trap that removes the working folder.
struck() {
  python3 -c 'import signal, subprocess, sys, time
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(signal.Signals[name], signal.SIG_DFL)
program = subprocess.Popen(sys.argv[3:])
time.sleep(int(sys.argv[2]) / 1000)
program.send_signal(signal.Signals["SIG" + sys.argv[1]])
program.wait()' "$@"
}
alone() { # nothing but the wheel and its entry lies there
  local found
  found=$(find race -mindepth 1 ! -name $wheel ! -name "$wheel.ledger.json")
  [ -z "$found" ] || fail "$1 left $found"
}
is_whole() { # the wheel is the old one, or a new one that can be read
  cmp -s "$race" unstamped.whl || "$WHEELARCH" inspect --witness native "$race" >out 2>err || fail "$1: the wheel is damaged: $(cat err)"
}

# How long a run takes, so that the signals fall into it.
fresh
start=$(date +%s%N)
gate 1
wait
took=$((($(date +%s%N) - start) / 1000000))
[ "$(cat 1.code)" = 0 ] || fail "$(cat 1.err)"

for ((i = 0; i < rounds; i++)); do
  for signal in TERM INT HUP; do
    fresh
    at=$((took * i / rounds))
    struck $signal $at "$WHEELARCH" gate --arch-list "8.0;9.0" --witness native "$race" >out 2>err
    alone "SIG$signal after $at ms"
    is_whole "SIG$signal after $at ms"
  done
done

won=0
refused=0
for ((i = 0; i < rounds; i++)); do
  fresh
  for epoch in 1 2 3; do gate $epoch; done
  wait
  alone "a race"
  sha256=$(sha256sum "$race" | cut -d ' ' -f 1)
  winners=$(grep -lx 0 ./*.code | wc -l)
  won=$((won + winners))
  for epoch in 1 2 3; do
    case $(cat $epoch.code) in
      0) last=$epoch ;;
      3)
        refused=$((refused + 1))
        diff - $epoch.err <<EOT || fail "$(cat $epoch.err)"
error: $race: another run of wheelarch is writing this file
    fix: let it end; if both are meant, run one after the other
EOT
        ;;
      *) fail "exit $(cat $epoch.code): $(cat $epoch.err)" ;;
    esac
  done
  [ "$winners" -ge 1 ] || fail "nobody won"
  check_json "$race.ledger.json" "d['wheel']['sha256'] == '$sha256'"
  [ "$winners" -gt 1 ] || check_json "$race.ledger.json" "d['build_epoch'] == $last"
done
echo "$won of $((rounds * 3)) runs won, $refused were refused; a run takes $took ms"
[ $refused -ge $((rounds / 2)) ] || fail "the runs did not meet: $refused refused"

# One after the other, both hold.
fresh
gate 1
wait
gate 2
wait
[ "$(cat 1.code)$(cat 2.code)" = 00 ] || fail "one after the other: $(cat 1.err 2.err)"
