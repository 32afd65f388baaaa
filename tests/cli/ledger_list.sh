#!/usr/bin/env bash
# ledger list and its filters.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries entries 3
cd entries
sed -i 's/"cuda": "12.8"/"cuda": "13.0"/; s/"build_epoch": 1/"build_epoch": 2/; s/@epoch1/@epoch2/; s/"sm_80", //g' 000001-*
sed -i 's/"provenance": "recorded"/"provenance": "inferred"/; s/"arch_list": "[^"]*"/"arch_list": null/; s/, "sm_90"/, "sm_90a"/g; s/"compute_120"/"compute_90"/g' 000002-*
cd ..
git init -q .
expect_exit 0 ledger collect entries
name() { echo "pkg0$1-1.0+cu128torch2.8-cp312-cp312-linux_x86_64.whl"; }

expect_exit 0 ledger list
sed -E 's/ at [0-9a-f]{12}, .* UTC$/ at COMMIT/' out >listed
expect_same listed "the list" <<EOT
$(name 0)  epoch 1  sm_80 sm_90 sm_100 sm_120 compute_120
$(name 1)  epoch 2  sm_90 sm_100 sm_120 compute_120
$(name 2)  epoch 1  sm_80 sm_90a sm_100 sm_120 compute_90  inferred
3 of 3 wheels
  ledger     refs/heads/wheel-ledger at COMMIT
EOT
lists() { # lists NUMBERS OPTION...: and the same in JSON
  local number
  expect_exit 0 ledger list "${@:2}"
  for number in $1; do name "$number"; done >wanted
  sed -n 's/  epoch .*//p' out | diff wanted - >&2 || fail "wheelarch ledger list ${*:2}"
  expect_exit 0 ledger list "${@:2}" --json -
  check_json out '[e["wheel"]["filename"] for e in d["entries"]] == open("wanted").read().split()'
}
lists "0 1 2"
lists "1" --package pkg01
lists "1" --package PKG01
lists "0 2" --cuda 12.8
lists "0 2" --cuda cu128
lists "1" --cuda 130
lists "1" --build-epoch 2
lists "0 2" --arch sm_80
lists "0 1" --arch sm_90
lists "2" --arch sm_90a
lists "2" --arch 9.0a
lists "0 1 2" --arch 9.0
lists "2" --arch compute_90
lists "0 1" --provenance recorded
lists "2" --provenance inferred --cuda 12.8
lists "" --arch sm_75
lists "" --build-epoch 7

refused() { # refused OPTION... <MESSAGE
  expect_exit 2 ledger list "$@"
  expect_error
}
refused --package pkg1 <<'EOT'
error: nothing is recorded of a package 'pkg1'
    fix: did you mean pkg01?
EOT
refused --package zebra <<'EOT'
error: nothing is recorded of a package 'zebra'
    fix: there are: pkg00, pkg01, pkg02
EOT
refused --arch ::error:: <<'EOT'
error: --arch ': :error::' is no arch
    fix: for example sm_90a, compute_90, or 9.0 for either
EOT
expect_exit 2 ledger list --build-epoch x
expect_exit 2 ledger list --build-epoch=-1
expect_exit 2 ledger list --cuda nonsense
expect_exit 2 ledger list --provenance guessed
expect_exit 3 ledger list --branch none
