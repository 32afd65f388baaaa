#!/usr/bin/env bash
# Hostile names of wheels, members and entries, and hostile rows of a matrix, in a workflow that act runs:
# workflow-hostile.yml looks at the outputs, and this at every command that act found in the log.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_act
make_repository
cp "$root/tests/action/workflow-hostile.yml" .github/workflows/
mkdir wheels names members entries
wheel_named wheels/$wheel ext_no_ptx.so=pkg/_C.so
evil=('::error::x' ' ::add-mask::1' '##[error]y' 'z%0A::error::z' $'\n::error::n' $'\r##[set-output name=verdict;]match' '$(touch pwned-5)'
  '`touch pwned-6`' "'; touch pwned-7 #" '"; touch pwned-8 #' '-rf' 'x<<EOF' 'verdict=match' $'\xff' $'\u202e')
for name in "${evil[@]}"; do
  cp wheels/$wheel "names/$name-1.0-cp312-cp312-linux_x86_64.whl"
  echo '{"schema": 1}' >"entries/$name-1.0-cp312-cp312-linux_x86_64.whl.ledger.json"
done
zip_named members/$wheel '["::error::x.so", "  ::add-mask::1.so", "pkg/##[error]y.so", "pkg/QQ.so", "%0A::error::z.so", "$(touch pwned-9).so"]' \
  "$fixtures/ext_no_ptx.so"
commit_repository

run_act || { tail -n 100 "$work/log" >&2; fail "the workflow failed"; }
[ "$(grep -c '| all names were reached' "$work/log")" = 1 ] || fail "the names were not reached"
[ "$(grep -c '| a row was reached' "$work/log")" = 6 ] || fail "not all rows were reached"
python3 - "$work/log" <<'PYTHON' || fail "the log"
import re, sys
names = {"verdict", "sass", "ptx", "entries", "exists", "exists-key", "matrix", "jobs", "pages", "report"}
lines = open(sys.argv[1], encoding="utf-8", newline="\n").read().split("\n")
found = {"error": 0}
for line in lines:
    printed = re.match(r"\[[^]]*\]   \| (.*)", line)
    if printed and (re.match(r"\s*::", printed[1]) or "##[" in printed[1]):
        sys.exit(f"a runner would find a command in: {line!r}")
    command = re.match(r"\[[^]]*\]   (\S+)  ::(\S+?)(::| )(.*)", line)
    if not command:
        continue
    if command[2] == "set-output":
        if command[4].strip().split("=")[0] not in names:
            sys.exit(f"an output that is not the action's: {line!r}")
    elif command[2] in ("error", "warning", "notice") and "title=wheelarch" in command[4].split("::")[0]:
        found[command[2]] = found.get(command[2], 0) + 1
    else:
        sys.exit(f"a command that is not the action's: {line!r}")
if found["error"] < 9:
    sys.exit(f"too few annotations: {found}")
PYTHON
