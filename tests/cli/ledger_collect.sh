#!/usr/bin/env bash
# ledger collect: all entries below a folder, at any depth, in one commit; then gate's own entries.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
make_entries artifacts/job-1/deep 20
make_entries artifacts/job-2 20 20
echo '{}' >artifacts/other.json # is no entry by its name
git init -q farm
expect_exit 0 ledger collect artifacts --farm farm --json result.json
grep -qxE 'recorded 40 wheels in wheel-ledger, commit [0-9a-f]{40}' out || { cat out >&2; fail "not collected"; }
check_json result.json 'd["added"] == 40 and d["unchanged"] == 0'
expect_ledger farm/.git 40 1
expect_exit 0 ledger collect artifacts/job-1 artifacts/job-2 --farm farm --json -
check_json out 'd["added"] == 0 and d["unchanged"] == 40 and d["commit"] == "'"$(git -C farm rev-parse wheel-ledger)"'"'
expect_ledger farm/.git 40 1

mkdir empty
expect_exit 3 ledger collect empty --farm farm
expect_error <<'EOT'
error: empty: no *.ledger.json in this folder
    fix: check the path, and that the build jobs uploaded what `wheelarch gate` wrote
EOT
expect_exit 3 ledger collect artifacts missing --farm farm
expect_ledger farm/.git 40 1

# Two entries of one wheel in what is collected: the same is one, different ones are refused.
mkdir twice
cp artifacts/job-2/000020-* twice/a.ledger.json
cp artifacts/job-2/000020-* twice/b.ledger.json
git init -q other
expect_exit 0 ledger collect twice --farm other --json -
check_json out 'd["added"] == 1'
sed -i 's/"build_epoch": 1/"build_epoch": 2/; s/@epoch1/@epoch2/' twice/b.ledger.json
git init -q third
expect_exit 1 ledger collect twice --farm third --json result.json
expect_empty out
grep -q '^error\[recorded-twice\] .* differ in build_epoch, exists_key$' err || { cat err >&2; fail "not refused"; }
check_json result.json 'd["commit"] is None and [f["rule"] for f in d["findings"]] == ["recorded-twice"]'
[ -z "$(git -C third branch --list wheel-ledger)" ] || fail "a refusal made a branch"

need_fixtures
mkdir dist
for name in a b; do made_wheel dist $name 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so; done
expect_exit 0 gate --arch-list "8.0;9.0" --witness native dist
expect_exit 0 ledger collect dist --farm third
for file in dist/*.whl; do
  expect_exit 0 ledger show "$file" --farm third --json -
  check_json out 'd["entry"]["wheel"]["sha256"] == "'"$(sha256sum <"$file" | cut -d' ' -f1)"'"' 'd["ledger"]["ref"] == "refs/heads/wheel-ledger"'
done
