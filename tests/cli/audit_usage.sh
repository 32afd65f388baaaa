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
expect_exit 2 audit
expect_error <<'EOT'
error: no wheels are named
    fix: give wheels or folders of wheels, or --gh for those of the farm's releases
EOT
mkdir empty
expect_exit 3 audit empty
grep -qxF 'error: empty: no wheel in this folder' err || { cat err >&2; fail "nothing to audit"; }
git init -q farm
expect_exit 0 audit --witness native --farm farm wheels
expect_same err "standard error" <<'EOT'
warning[no-ledger] there is no ledger: no branch wheel-ledger
    fix: nothing is recorded then; name it with --branch and --remote if there is one, or begin it with `wheelarch ledger backfill`
EOT
grep -qx '1 wheel: 0 ok, 0 config-moved, 1 unrecorded, 0 wheel-wrong, 0 unreadable' out || fail "without a ledger"
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
expect_same out "standard output" <<'EOT'
wheels/cut-1.0-cp312-cp312-linux_x86_64.whl: unreadable
error[unreadable] cut-1.0-cp312-cp312-linux_x86_64.whl: no end of central directory record: not a zip archive, or its end is missing
    fix: the file is cut short or damaged: build or download it again
wheels/new-1.0-cp312-cp312-linux_x86_64.whl: unrecorded
  observed  sm_80 sm_90 compute_90
warning[unrecorded] new-1.0-cp312-cp312-linux_x86_64.whl: nothing is recorded of it in refs/heads/wheel-ledger at COMMIT
    fix: record what is in it, as inferred: `wheelarch ledger backfill`
wheels/pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl: wheel-wrong
  observed  sm_80 sm_90 compute_90
  recorded  sm_80 sm_90 compute_90; 8.0;9.0+PTX at epoch 1, TIME
error[replaced-after-recording] pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl: its SHA-256 is SHA (N bytes), recorded on TIME at epoch 1 is SHA (N bytes); it has no stamp; its archs are the recorded ones all the same
    fix: publish the wheel that was recorded again; or build it anew and record it with `wheelarch ledger collect --replace`
wheels/x\n::error::y\x1b[2J.whl: unreadable
error[unreadable] x\n::error::y\x1b[2J.whl: the wheel's file name has 1 field between its dashes, expected 5 or 6
    fix: a wheel is called distribution-version(-build)-python-abi-platform(-variant).whl
  package                                   ok  config-moved    unrecorded   wheel-wrong    unreadable
  (no wheel's name)                          0             0             0             0             1
  cut                                        0             0             0             0             1
  new                                        0             0             1             0             0
  pkg                                        0             0             0             1             0
4 wheels: 0 ok, 0 config-moved, 1 unrecorded, 1 wheel-wrong, 2 unreadable
  policy     none: only what is in the wheels was compared with what is recorded (--farm names a policy)
  ledger     refs/heads/wheel-ledger at COMMIT
EOT
check_json result.json 'd["schema"] == 1' 'd["packages"]["pkg"]["wheel-wrong"] == 1' 'd["ledger"]["ref"] == "refs/heads/wheel-ledger"' \
  'd["results"][2]["recorded"]["arch_list"] == "8.0;9.0+PTX" and d["results"][2]["policy"] is None' 'd["results"][0]["observed"] == {"sass": [], "ptx": []}'

# A runner sees the errors as annotations and the table in the summary.
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary.md
: >summary.md
expect_exit 3 audit --witness native --farm farm wheels
annotations >commands
[ "$(grep -c '^::error title=wheelarch%3A replaced-after-recording::' commands)" = 1 ] || { cat commands >&2; fail "annotations"; }
[ "$(wc -l <commands)" = 3 ] || { cat commands >&2; fail "annotations"; }
without_annotations err >said
without_annotations out >shown
expect_harmless said shown summary.md
grep -qxF '| <code>pkg</code> | 0 | 0 | 0 | 1 | 0 |' summary.md || { cat summary.md >&2; fail "summary"; }
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY

# JSON on standard output, and nothing else there.
expect_exit 3 audit --witness native --farm farm --json - wheels
check_json out 'd["counts"]["unreadable"] == 2'
expect_empty err

# Not over its own inputs.
for option in --json --markdown --state; do
  remember wheels/"$good"
  expect_exit 2 audit --farm farm $option wheels/$good wheels
  grep -qF "error: $option would overwrite wheels/$good" err || { cat err >&2; fail "$option"; }
  expect_unchanged
done
for words in "--jobs 0" "--shard 0/2" "--shard 3/2" "--shard x" "--merge --state s a.json" "--merge"; do
  # shellcheck disable=SC2086
  expect_exit 2 audit --farm farm $words
done

# Nor over another output.
for words in "--json x --markdown x" "--state ./x --markdown x" "--json x --state x" "--markdown -" "--state -" "--merge --gh x" "--merge --by-digest x" "--merge --jobs 2 x"; do
  # shellcheck disable=SC2086
  expect_exit 2 audit --farm farm $words wheels
done
expect_no_file x

# In a folder, links to wheels are followed, also where they lead nowhere, and a suffix in capitals is named.
mkdir linked
ln -s ../unstamped.whl linked/$good
ln -s nowhere linked/b-1.0-cp312-cp312-linux_x86_64.whl
ln -s . linked/self.whl
cp unstamped.whl linked/C-1.0-cp312-cp312-linux_x86_64.WHL
expect_exit 3 audit --witness native --farm farm --json linked.json linked
check_json linked.json '[(r["file"], r["verdict"]) for r in d["results"]] == [("linked/C-1.0-cp312-cp312-linux_x86_64.WHL", "unreadable"), ("linked/b-1.0-cp312-cp312-linux_x86_64.whl", "unreadable"), ("linked/'$good'", "wheel-wrong")]'

# A file on the branch that is too large is that wheel's fault alone.
made_wheel wheels/big-1.0-cp312-cp312-linux_x86_64.whl big 1.0 cp312-cp312-linux_x86_64 compress_none.so=big/_C.so
truncate -s 68000000 large
(
  cd farm
  export GIT_INDEX_FILE=$work/index
  git read-tree wheel-ledger
  git update-index --add --cacheinfo "100644,$(git hash-object -w ../large),big/big-1.0-cp312-cp312-linux_x86_64.whl.json"
  git update-index --add --cacheinfo "100644,$(git hash-object -w ../large),other/other-1.0-cp312-cp312-linux_x86_64.whl.json"
  commit=$(git -c user.name=x -c user.email=x@example.org commit-tree -p wheel-ledger -m x "$(git write-tree)")
  git update-ref refs/heads/wheel-ledger "$commit"
)
expect_exit 3 audit --witness native --farm farm --json large.json wheels
check_json large.json 'd["counts"]["unreadable"] == 3 and d["counts"]["wheel-wrong"] == 1'
grep -q "^error\[unreadable\] the ledger's big/big-1.0-cp312-cp312-linux_x86_64.whl.json: object [0-9a-f]* is a blob of 68000000 bytes" out || { cat out >&2; fail "not named"; }
rm wheels/big-1.0-cp312-cp312-linux_x86_64.whl

# The result of another command, or without a wheel, is not merged.
run ledger backfill --witness native --farm farm --json backfilled.json wheels
expect_exit 2 audit --merge backfilled.json
expect_error <<'EOT'
error: backfilled.json: it is no result of `wheelarch audit`: it is that of `wheelarch ledger backfill`
    fix: give what `wheelarch audit --shard I/N --json FILE` wrote
EOT

# cuobjdump is asked by all threads at once; on a terminal one line says how far it is, and goes away.
mkdir many
for i in $(seq 12); do made_wheel many/ "p$i" 1.0 py3-none-linux_x86_64 compress_none.so=p/_C.so ext_90a.so=p/_D.so; done
if [ -x "$cuobjdump" ]; then
  expect_exit 0 audit --witness both "--cuobjdump=$cuobjdump" --farm farm --jobs 4 --json both.json many
  check_json both.json 'd["counts"]["unrecorded"] == 12' 'd["cuobjdump"]["release"]' \
    'all(r["observed"] == {"sass": ["sm_80", "sm_90", "sm_90a"], "ptx": ["compute_90", "compute_90a"]} for r in d["results"])'
  expect_no_file "${TMPDIR:-/tmp}/wheelarch-*/input"
fi
python3 - "$WHEELARCH" <<'PYTHON' || fail "progress on a terminal"
import os, pty, subprocess, sys
master, slave = pty.openpty()
run = subprocess.Popen([sys.argv[1], "audit", "--witness", "native", "--farm", "farm", "wheels"], stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
text = b""
try:
    while piece := os.read(master, 4096):
        text += piece
except OSError:
    pass
run.wait()
drawn = text.count(b" of 4 wheels")
sys.exit(not (drawn >= 1 and text.endswith(b"\r\x1b[K") and b"\n" not in text))
PYTHON
