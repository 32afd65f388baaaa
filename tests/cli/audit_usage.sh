#!/usr/bin/env bash
# audit: the whole text of small results, what there is nothing to audit by, hostile names, a runner, progress, cuobjdump.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/audit_lib.sh"
list="8.0;9.0+PTX"
good=pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl
mkdir wheels
made_wheel wheels/$good pkg 1.0+cu130torch2.9 cp312-cp312-linux_x86_64 compress_none.so=pkg/_C.so
cp wheels/$good unstamped.whl
neutral() { sed -E 's/[0-9a-f]{64}/SHA/g; s/[0-9]+ bytes/N bytes/g; s/[0-9-]{10}T[0-9:]*Z/TIME/g; s/ at [0-9a-f]{12}/ at COMMIT/; s/, [0-9-]{10} [0-9:]* UTC$//; s/offset 0x[0-9a-f]+/offset OFFSET/g' "$1"; }

expect_exit 3 audit wheels # no repository
git init -q farm
expect_exit 3 audit --witness native --farm farm wheels
expect_error <<'EOT'
error: there is no ledger to audit by: no branch wheel-ledger
    fix: name it with --branch and --remote; if nothing was recorded yet, `wheelarch ledger backfill` records what is in the wheels
EOT
expect_exit 0 gate --witness native --arch-list "$list" wheels
expect_exit 0 ledger collect --farm farm wheels
expect_exit 0 audit --witness native --farm farm wheels
expect_output <<'EOT'
  package                                   ok  config-moved    unrecorded   wheel-wrong    unreadable
  pkg                                        1             0             0             0             0
1 wheel: 1 ok, 0 config-moved, 0 unrecorded, 0 wheel-wrong, 0 unreadable
  policy     none: only what is in the wheels was compared with what is recorded (--farm names a policy)
  ledger     refs/heads/wheel-ledger at COMMIT
EOT

# The stamp is gone, and so the hash is another; one was never recorded; one is cut short; one is no wheel's name.
cp unstamped.whl wheels/$good
made_wheel wheels/new-1.0-cp312-cp312-linux_x86_64.whl new 1.0 cp312-cp312-linux_x86_64 compress_none.so=new/_C.so
head -c 1000 unstamped.whl >wheels/cut-1.0-cp312-cp312-linux_x86_64.whl
cp unstamped.whl "wheels/$(printf 'x\n::error::y\033[2J').whl"
expect_exit 3 audit --witness native --farm farm --json result.json --markdown result.md wheels
expect_harmless out err result.md
grep -v '^      ' out >shown
expect_same shown "standard output" <<'EOT'
wheels/cut-1.0-cp312-cp312-linux_x86_64.whl: unreadable
error[unreadable] cut-1.0-cp312-cp312-linux_x86_64.whl: no "end of central directory" record in it
    fix: the file is cut short or damaged: build or download it again
wheels/new-1.0-cp312-cp312-linux_x86_64.whl: unrecorded
  observed  sm_80 sm_90 compute_90
warning[unrecorded] new-1.0-cp312-cp312-linux_x86_64.whl: nothing is recorded of it in refs/heads/wheel-ledger at COMMIT
    fix: record what is in it, as inferred: `wheelarch ledger backfill`
EOT
