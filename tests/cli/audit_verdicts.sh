#!/usr/bin/env bash
# audit: 208 wheels of real device code, with the policy moved, wheels swapped, stamps and entries edited, files cut short:
# each verdict is right, in shards, on any number of threads, and after an interruption. audit_damage.py has the damage.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/audit_lib.sh"
made_farm
[ "$(find made/wheels -name '*.whl' | wc -l)" = 208 ] || fail "not 208 wheels"

audit 3 --json all.json --markdown all.md --jobs 3 made/wheels
check_verdicts all.json
expect_harmless out err all.md
cp out text
check_json all.json 'sum(d["counts"].values()) == 208 == d["wheels"]' 'd["verdict"] == "unreadable"' 'd["shard"] is None' \
  'd["counts"]["wheel-wrong"] == 29' 'd["counts"]["unreadable"] == 6' 'd["counts"]["unrecorded"] == 2' \
  '[r["position"] for r in d["results"]] == list(range(208))' 'len(d["policy"]["sha256"]) == 64'
grep -qx '  policy     made/farm' text || fail "the policy is not named"

# What they were held to is in their entries.
expect_schema ledger-entry.schema.json made/entries/ok_{host,jit,expect,members,older}-*cp310*.json
check_json made/entries/ok_members-1.0+cu130torch2.8-cp310-cp310-linux_x86_64.whl.ledger.json \
  'd["expected"] == {"archs": None, "device_code": "required", "jit": None, "members": {"ext_90a*.so": "8.0;9.0a+PTX"}}'
check_json made/entries/ok_expect-1.0+cu130torch2.8-cp310-cp310-linux_x86_64.whl.ledger.json 'd["expected"]["archs"] == "8.0;9.0"'
check_json made/entries/ok_jit-1.0+cu130torch2.8-cp310-cp310-linux_x86_64.whl.ledger.json 'd["expected"]["jit"] == "kernels are written in Triton"'
check_json made/entries/ok_host-1.0+cu130torch2.8-cp310-cp310-linux_x86_64.whl.ledger.json 'd["expected"]["device_code"] == "none"'
check_json made/entries/ok_ptx-1.0+cu130torch2.8-cp310-cp310-linux_x86_64.whl.ledger.json 'd["expected"] is None'

# What is said of some of them.
of() { grep -m1 -A9 "^made/wheels/$1" text | sed -n '/^error\|^notice\|^warning/p' | sed -E 's/[0-9a-f]{64}/SHA/g; s/[0-9]+ bytes/N bytes/g; s/[0-9-]{10}T[0-9:]*Z/TIME/g; s/ at [0-9a-f]{12}/ at COMMIT/'; }
says() { # says WHEEL TEXT: it is in what is said of the first wheel that begins so
  of "$1" >said_of
  grep -qF -e "$2" said_of || { cat said_of >&2; fail "not said of $1: $2"; }
}
says moved_wider 'as recorded, built for 8.0;9.0 at epoch 1, but today the policy asks for 8.0;9.0;10.0;12.0 at epoch 1 (arch_list in made/farm/packages/moved_wider.yml:5); sm_100 sm_120 missing; 10.0 devices have nothing to run, 12.0 devices have nothing to run'
says moved_epoch 'built for 8.0;9.0+PTX at epoch 1, but today the policy asks for 8.0;9.0+PTX at epoch 1+pkg2 (arch_list in made/farm/packages/moved_epoch.yml:5); only the epoch is another'
says moved_gone 'but it is no longer built: the policy has no such cell'
says moved_expectation 'and holds the wheel to sm_80 sm_90 (expect_archs); compute_90 too much'
says moved_to_none 'and holds the wheel to no device code (device_code: none); sm_80 sm_90 compute_90 too much'
says inferred_moved 'as it was found at epoch 1 (nothing says what was requested), but today the policy asks for 8.0;9.0;12.0+PTX'
says faulty_a-1.0+cu130torch2.8-cp310 'it holds sm_80 sm_90, recorded is sm_80 sm_90 compute_90; compute_90 missing'
says faulty_a-1.0+cu130torch2.8-cp311 'sm_90 there only as images without a kernel'
grep -q 'an older build is served, that of .* at epoch 1, which the recorded one has replaced' text || fail "older build"
grep -qF 'its stamp is of another build than its file name says: cuda 12.8 against 13.0; python 3.9 against 3.1' text || fail "other cell"
grep -qF 'its entry is of another build than its file name says: package ok_ptx against faulty_d, which the farm has' text || fail "other package"
grep -q ': by its stamp it is a newer build, of epoch 2, which was not recorded; its archs are the recorded ones' text || fail "newer build"
grep -qF 'the policy'"'"'s epoch went back: raise build_epoch to 3 or more' text || fail "epoch ahead"
grep -qF 'its stamp says epoch 99+pkg2, but the policy is at 1+pkg2' text || fail "epoch to come"
grep -qF 'its stamp says that 7.5;8.0;9.0+PTX was requested, and that it holds' text || fail "a stamp's request"
grep -qF 'requested, and that it holds sm_80 sm_90 compute_90, which it does: sm_75 requested, but no image of it is there; 7.5 devices have nothing to run' text ||
  fail "not as requested"

# The edit of the policy alone: nothing that was right is wrong.
mkdir right
cp made/wheels/{ok,moved,inferred}_* right
audit 0 --json right.json right
check_json right.json 'd["counts"] == {"ok": 110, "config-moved": 58, "unrecorded": 0, "wheel-wrong": 0, "unreadable": 0}'
# Without a policy, what is in them is compared with what is recorded. Entries of before `expected` do not say that the package
# declares another list than it exports.
cp -r made/farm bare && rm -r bare/packages
expect_exit 1 audit --witness native --farm bare --json bare.json right
check_json bare.json 'd["counts"]["ok"] == 160' 'd["policy"] is None' 'd["packages"]["ok_older"]["wheel-wrong"] == 8'
grep -qF 'the entry is older than the key `expected`, so a deviation that was declared then is not in it' out || fail "not said of an older entry"
grep -qx '  policy     none: only what is in the wheels was compared with what is recorded (--farm names a policy)' out || fail "not said"

same_results() { # same_results A B: but for what may differ
  python3 -c 'import json, sys
a, b = (json.load(open(p)) for p in sys.argv[1:])
sys.exit(a != b and [x for x, y in zip(a["results"], b["results"]) if x != y][:1] or a != b)' "$@" || fail "$1 and $2 differ"
}
audit 3 --json one.json --jobs 1 made/wheels
same_results all.json one.json

# Shards: all together are the whole, whatever their order; a set that is not whole is refused.
for i in 1 2 3; do
  run audit --witness native --farm made/farm --shard $i/3 --json shard$i.json made/wheels
  check_json shard$i.json "d['shard'] == {'index': $i, 'count': 3}" 'd["wheels"] == 208' '40 < len(d["results"]) < 95'
done
expect_exit 3 audit --merge shard2.json shard3.json shard1.json --json merged.json
same_results all.json merged.json
expect_exit 3 audit --merge shard2.json shard3.json
expect_error <<'EOT'
error: of 3 shards 1 is not there: 1/3
    fix: see what became of their jobs, and give the results of all
EOT
expect_exit 2 audit --merge shard2.json shard2.json shard3.json
expect_error <<'EOT'
error: shard2.json: it is shard 2/3, as is shard2.json
    fix: give each once
EOT
run audit --witness native --farm made/farm --shard 1/2 --json half.json made/wheels
expect_exit 2 audit --merge half.json shard2.json shard3.json
grep -qF 'error: shard2.json: it is shard 2/3, but half.json is shard 1/2: they are of different sweeps' err || fail "other N"
expect_exit 2 audit --merge made/expected.json
grep -qF 'error: made/expected.json: it is no result of `wheelarch audit`' err || fail "no result"
expect_exit 0 audit --witness native --farm made/farm --shard 1/1000 --json none.json right
check_json none.json 'd["results"] == [] and d["wheels"] == 168'
grep -qxF '0 wheels of 168 (shard 1 of 1000): 0 ok, 0 config-moved, 0 unrecorded, 0 wheel-wrong, 0 unreadable' out || { cat out >&2; fail "an empty shard"; }
