#!/usr/bin/env bash
# ledger show: which arch list was this wheel built with? In one screen.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 1
name=pkg00-1.0+cu128torch2.8-cp312-cp312-linux_x86_64.whl
git init -q farm
expect_exit 3 ledger show $name --farm farm
expect_error <<'EOT'
error: there is no ledger: no branch wheel-ledger
    fix: name it with --branch and --remote; `wheelarch ledger record` makes it with its first entry
EOT
expect_exit 0 ledger record entries --farm farm
tip=$(git -C farm rev-parse wheel-ledger)

expect_exit 0 ledger show $name --farm farm
sed -E 's/, [0-9-]{10} [0-9:]{8} UTC$/, TIME/' out >shown
expect_same shown "what is shown" <<EOT
$name
  requested  8.0;9.0;10.0;12.0+PTX
  observed   sm_80 sm_90 sm_100 sm_120 compute_120
  epoch      1
  key        pkg00-1.0+cu128torch2.8-cp312-linux@epoch1
  policy     $(printf defaults | sha256sum | cut -d' ' -f1)
  package    pkg00 1.0
  cell       CUDA 12.8, torch 2.8.0, Python 3.12, linux
  source     https://example.org/example-org/pkg00 v1.0
  run        not known
  recorded   2026-01-31T12:00:00Z
  wheel      sha256 $(printf %s $name | sha256sum | cut -d' ' -f1), 12345 bytes
  witnesses  native
  toolchain  nvcc 12.8.93, cuobjdump 12.8.90, wheelarch 0.1.0
  members    pkg00/_C0.so: sm_80 sm_90 sm_100 sm_120 compute_120
             pkg00/_C1.so: sm_80 sm_90 sm_100 sm_120 compute_120
             pkg00/_C2.so: sm_80 sm_90 sm_100 sm_120 compute_120
  ledger     refs/heads/wheel-ledger at ${tip:0:12}, TIME
EOT
expect_exit 0 ledger show "some/folder/$name" --farm farm/.git --json -
check_json out 'd["schema"] == 1 and d["entry"] == __import__("json").load(open("entries/000000-'$name'.ledger.json"))' \
  'd["ledger"]["commit"] == "'"$tip"'" and d["ledger"]["time"] > 1700000000'

# What was inferred never looks as if it had been requested.
sed 's/"provenance": "recorded"/"provenance": "inferred"/; s/"arch_list": "[^"]*"/"arch_list": null/; s/pkg00-1\.0/pkg00-9.0/g' entries/* >inferred.json
expect_exit 0 ledger record inferred.json --farm farm
expect_exit 0 ledger show ${name/1.0/9.0} --farm farm
expect_line out "  requested  not known: inferred from the wheel, its build recorded nothing"
expect_line out "  inferred   2026-01-31T12:00:00Z"
! grep '^  recorded' out >&2 || fail "recorded"

# One that is not there.
tip=$(git -C farm rev-parse wheel-ledger)
expect_exit 1 ledger show ${name/1.0/7.0} --farm farm --json result.json
expect_error <<EOT
error[unrecorded] ${name/1.0/7.0}: nothing is recorded of it in refs/heads/wheel-ledger at ${tip:0:12}
    fix: \`wheelarch ledger list\` has the names
EOT
check_json result.json 'd["entry"] is None'
expect_exit 3 ledger show pkg00 --farm farm
grep -q "^error: pkg00: the file name does not end in \.whl$" err || { cat err >&2; fail "which input?"; }
expect_exit 3 ledger show '::error::x.whl' --farm farm
expect_harmless err
