#!/usr/bin/env bash
# ledger backfill of many wheels commits them in parts: a run that is killed leaves a whole ledger, and the next one goes on.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need_fixtures
git init -q farm
mkdir published
python3 - "$root/tests/nvcc" "$fixtures/ext_no_ptx.so" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import make_wheel
library = open(sys.argv[2], "rb").read()
for i in range(1100):
    make_wheel.build("published", "pkg", f"1.{i}", "cp312-cp312-linux_x86_64", [("pkg/_C.so", library)])
PYTHON
entries() { git -C farm ls-tree -r --name-only wheel-ledger 2>/dev/null | wc -l; }

"$WHEELARCH" ledger backfill --witness native --farm farm --jobs 1 published >killed.out 2>killed.err &
pid=$!
while kill -0 $pid 2>/dev/null && [ "$(entries)" = 0 ]; do :; done
kill -KILL $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
kept=$(entries)
[ "$kept" = 500 ] || [ "$kept" = 1000 ] || [ "$kept" = 1100 ] || fail "$kept entries after the kill"
expect_exit 0 ledger backfill --witness native --farm farm published --json result.json
expect_line out "1100 wheels: $((1100 - kept)) inferred, $kept inferred before, 0 recorded by their builds, 0 not recorded"
expect_ledger farm/.git 1100 4
