#!/usr/bin/env bash
# Whatever the inputs hold, none of it becomes an option, a further output, a workflow command or a shell's text.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
evil='a b"$(touch pwned)`touch pwned`; touch pwned'"'"'::error::##[error]'
mkdir "$evil"
cp $wheel "$evil/$wheel"

step_environment
set_inputs command=assert wheels="$evil/*.whl" arch-list="8.0;9.0" witness=native report="$evil/report.json"
expect_exit 0 action
expect_harmless out err
expect_step_output verdict match
expect_step_output report "$evil/report.json"
[ -f "$evil/report.json" ] || fail "no report"

lint_farm "12.8=8.0"
: >nothing
mkdir entries
expect_exit 0 gate --witness native --arch-list "8.0;9.0" $wheel
mv $wheel.ledger.json entries/
for value in "$evil.none" $'8.0\nverdict=match\n::error::x' '--help' '--json=/dev/null' $'\xff\e[31m'; do
  for name in wheels arch-list witness cuobjdump command matrix farm lint sources existing page shard ledger-branch report; do
    step_environment
    case $name in
      sources) set_inputs command=lint farm=farm "$name=$value" ;;
      existing | page) set_inputs command=matrix farm=farm existing=nothing "$name=$value" ;;
      shard) set_inputs command=audit farm=farm wheels=$wheel "$name=$value" ;;
      ledger-branch) set_inputs command=collect farm=farm wheels=entries "$name=$value" ;;
      report) set_inputs wheels=$wheel arch-list="8.0;9.0" witness=native "$name=none/$value" ;;
      *) set_inputs wheels=$wheel arch-list=8.0 "$name=$value" ;;
    esac
    run action
    [ "$code" -ge 2 ] || { cat out err; fail "exit $code with $name=$value"; }
    cat out err | grep -v '^::error title=wheelarch%3A could not be checked::' >log || true
    expect_harmless log
    expect_step_output verdict unchecked
  done
done
[ -z "$(find . -name 'pwned*')" ] || fail "text of an input was run"

# Neither a path nor a wheel can name outputs of its own.
step_environment
report=$'r\nverdict=match\nsass<<END\nEND\n.json'
set_inputs wheels=$wheel arch-list=8.6 witness=native report="$report"
expect_exit 1 action
expect_step_output verdict mismatch
expect_step_output sass "sm_80 sm_90"
expect_step_output report "$report"
zip_named $wheel '["pkg/x<<EOF.so", "verdict=match.so"]' "$fixtures/ext_no_ptx.so"
step_environment
set_inputs wheels=$wheel arch-list=8.6 witness=native
expect_exit 1 action
expect_step_output verdict mismatch
