#!/usr/bin/env bash
# ledger backfill: published wheels are recorded by what is in them, as inferred; one that is wrong does not keep the others
# from it; what a build recorded stays, and takes the place of what was inferred when it comes later.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need_fixtures
git init -q farm
mkdir published
local=1.0+cu130torch2.9
tag=cp312-cp312-linux_x86_64
a=a_pkg-$local-$tag.whl b=b_pkg-$local-$tag.whl c=c_pkg-$local-$tag.whl host=host_pkg-$local-$tag.whl
made_wheel published a_pkg $local $tag compress_none.so=a_pkg/_C.so
made_wheel published b_pkg $local $tag ext_no_ptx.so=b_pkg/_C.so
made_wheel published c_pkg $local $tag ext_90a.so=c_pkg/_C.so
made_wheel published host_pkg $local $tag plain_host.so=host_pkg/_C.so
expect_exit 0 gate --arch-list "8.0;9.0" --witness native published/$b # one build did record
expect_exit 0 ledger record published/$b.ledger.json --farm farm
recorded=$(git -C farm rev-parse "wheel-ledger:b_pkg/$b.json")
backfill() { expect_exit "$1" ledger backfill --witness native --farm farm "${@:2}"; }

# Wheels that are wrong or cannot be read are named; the rest is recorded.
cp published/$c published/bad_name-$local-$tag.whl
head -c 3000 published/$a >published/cut-$local-$tag.whl
echo no wheel >published/notes.whl
remember published/*
backfill 3 --json result.json published
expect_unchanged
grep -v '^ ' out >heads
expect_same heads "what is said" <<EOT
published/bad_name-$local-$tag.whl: wheel-wrong
error[dist-info] bad_name-$local-$tag.whl → c_pkg-$local.dist-info: the folder is not called 'bad_name-$local.dist-info', as the file name has it
error[metadata-mismatch] bad_name-$local-$tag.whl → c_pkg-$local.dist-info/METADATA: Name is 'c_pkg', but 'bad_name' in the file name
published/cut-$local-$tag.whl: unreadable
error[unreadable] cut-$local-$tag.whl: no end of central directory record: not a zip archive, or its end is missing
published/notes.whl: unreadable
error[unreadable] notes.whl: the wheel's file name has 1 field between its dashes, expected 5 or 6
7 wheels: 3 inferred, 0 inferred before, 1 recorded by its build, 3 not recorded
EOT
check_json result.json '(d["added"], d["kept"], d["written"]) == (3, 1, 0)' 'd["verdict"] == "unreadable"' \
  'sorted(r["verdict"] for r in d["results"]) == ["unreadable", "unreadable", "wheel-wrong"]'
grep -q "^warning\[no-device-code\] $host: no device code in it, and it is recorded so$" err || { cat err >&2; fail "no warning"; }
rm published/{bad_name,cut,notes}*
expect_ledger farm/.git 4 2
[ "$(git -C farm log -1 --format=%s wheel-ledger)" = "Record 3 wheels by what is in them" ] || fail "the message of the commit"
[ "$(git -C farm rev-parse "wheel-ledger:b_pkg/$b.json")" = "$recorded" ] || fail "a record was touched"

# The entry: what is observed, and nothing that nobody knows.
git -C farm show "wheel-ledger:a_pkg/$a.json" >entry.json
expect_schema ledger-entry.schema.json entry.json
check_json entry.json 'd["provenance"] == "inferred" and d["arch_list"] is None and d["build_epoch"] == 1' \
  'd["archs"] == {"sass": ["sm_80", "sm_90"], "ptx": ["compute_90"]}' 'd["package"] == "a_pkg" and d["version"] == "1.0"' \
  'd["cell"] == {"cuda": "13.0", "pytorch": "2.9", "python": "3.12", "platform": "linux"}' \
  'd["toolchain"]["nvcc"] is None and set(d["run"].values()) == {None} and set(d["source"].values()) == {None}' \
  'd["exists_key"] is d["defaults_sha256"] is d["expected"] is None' \
  '[m["path"] for m in d["members"]] == ["a_pkg/_C.so"] and len(d["members"][0]["sha256"]) == 64' \
  'd["wheel"]["sha256"] == "'"$(sha256sum <published/$a | cut -d' ' -f1)"'"'
expect_exit 0 ledger show $a --farm farm
expect_line out "  requested  not known: inferred from the wheel, its build recorded nothing"
git -C farm show "wheel-ledger:host_pkg/$host.json" >entry.json
check_json entry.json 'd["archs"] == {"sass": [], "ptx": []} and d["members"] == []'

# A run of a workflow that looks at wheels is not the run that built them.
tip=$(git -C farm rev-parse wheel-ledger)
GITHUB_ACTIONS=true GITHUB_RUN_ID=7 backfill 0 --replace published/$a
git -C farm show "wheel-ledger:a_pkg/$a.json" >entry.json
check_json entry.json 'd["run"]["run_id"] is None'
[ "$(git -C farm rev-parse wheel-ledger)" = "$tip" ] || fail "the same again made a commit"

# Again: nothing is new, and nothing is read twice.
backfill 0 published
expect_line out "4 wheels: 0 inferred, 3 inferred before, 1 recorded by its build, 0 not recorded"
expect_line out "  ledger     wheel-ledger, not changed"
[ "$(git -C farm rev-parse wheel-ledger)" = "$tip" ] || fail "there was nothing to commit"

# Another file under the name: refused, and with --replace it takes the place of the old one.
made_wheel published/$a a_pkg $local $tag ext_no_ptx.so=a_pkg/_C.so
backfill 1 --json result.json published
check_json result.json 'd["verdict"] == "conflict"' '[f["rule"] for f in d["results"][0]["findings"]] == ["already-recorded"]'
[ "$(git -C farm rev-parse wheel-ledger)" = "$tip" ] || fail "a refusal made a commit"
backfill 0 --replace published
expect_line out "4 wheels: 1 inferred (1 replaced), 2 inferred before, 1 recorded by its build, 0 not recorded"
git -C farm show "wheel-ledger:a_pkg/$a.json" >entry.json
check_json entry.json '[h["provenance"] for h in d["history"]] == ["inferred"]' 'd["archs"]["ptx"] == []'

# The build's own record comes later: it needs no --replace.
expect_exit 0 gate --arch-list "8.0;9.0" --witness native published/$a
expect_exit 0 ledger record published/$a.ledger.json --farm farm
git -C farm show "wheel-ledger:a_pkg/$a.json" >entry.json
check_json entry.json 'd["provenance"] == "recorded" and [h["provenance"] for h in d["history"]] == ["inferred", "inferred"]'
made_wheel published/$a a_pkg $local $tag compress_none.so=a_pkg/_C.so
backfill 0 --replace published/$a # nor does anything inferred replace it
expect_line out "1 wheel: 0 inferred, 0 inferred before, 1 recorded by its build, 0 not recorded"

# Entry files instead of a commit, in shards; they are collected like those of builds.
git init -q other
for i in 1 2 3; do expect_exit 0 ledger backfill --witness native --farm other --output "entries/$i" --shard $i/3 published; done
[ -z "$(git -C other branch --list wheel-ledger)" ] || fail "--output made a commit"
[ "$(find entries -name '*.ledger.json' | wc -l)" = 4 ] || fail "not four entries"
expect_exit 0 ledger collect entries --farm other
expect_ledger other/.git 4 1
expect_exit 0 ledger backfill --witness native --farm other --output entries/again published
expect_line out "4 wheels: 0 inferred, 4 inferred before, 0 recorded by their builds, 0 not recorded"
[ ! -e entries/again ] || fail "nothing was to be written"

# A build's own entry beside its wheel, not collected yet, is not written over.
git init -q third
mkdir uncollected
made_wheel uncollected f_pkg $local $tag ext_no_ptx.so=f_pkg/_C.so
expect_exit 0 gate --arch-list "8.0;9.0" --witness native uncollected
remember uncollected/*
expect_exit 0 ledger backfill --witness native --farm third --output uncollected uncollected
expect_unchanged
expect_line out "1 wheel: 0 inferred, 0 inferred before, 1 recorded by its build, 0 not recorded"

# The stamp fills in what the name lacks, where it is true; one that is not keeps the wheel out.
plain=d_pkg-1.0-py3-none-linux_x86_64.whl
made_wheel published d_pkg 1.0 py3-none-linux_x86_64 ext_no_ptx.so=d_pkg/_C.so
echo '{"package": "d_pkg", "version": "1.0", "cuda": "13.0", "pytorch": "2.9.1", "python": "3.12", "platform": "linux", "build_epoch": 2}' >row.json
expect_exit 0 stamp --witness native --cell row.json --arch-list "8.0;9.0" published/$plain
backfill 0 published/$plain
git -C farm show "wheel-ledger:d_pkg/$plain.json" >entry.json
check_json entry.json 'd["cell"] == {"cuda": "13.0", "pytorch": "2.9.1", "python": "3.12", "platform": "linux"}' \
  'd["build_epoch"] == 2 and d["arch_list"] is None and d["provenance"] == "inferred"'
sed 's/"13.0"/"12.8"/' row.json >other.json
stamped=e_pkg-$local-$tag.whl
made_wheel published/$stamped e_pkg $local $tag ext_no_ptx.so=e_pkg/_C.so
sed 's/d_pkg/e_pkg/' row.json >e.json
expect_exit 0 stamp --witness native --cell e.json published/$stamped
python3 - published/$stamped <<'PYTHON'
import base64, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    members = {m: archive.read(m) for m in archive.namelist()}
stamp = next(m for m in members if m.endswith("_build_info.json"))
record = next(m for m in members if m.endswith("/RECORD"))
members[stamp] = members[stamp].replace(b'"cuda": "13.0"', b'"cuda": "12.8"').replace(b'"build_epoch": 2', b'"build_epoch": 9')
digest = base64.urlsafe_b64encode(hashlib.sha256(members[stamp]).digest()).rstrip(b"=").decode()
lines = [f"{stamp},sha256={digest},{len(members[stamp])}" if line.startswith(stamp) else line for line in members[record].decode().splitlines()]
members[record] = ("\n".join(lines) + "\n").encode()
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for name, data in members.items():
        archive.writestr(name, data)
PYTHON
backfill 1 published/$stamped
expect_line out "error[other-build] $stamped: its stamp is of another build than its file name says: cuda 12.8 against 13.0"

# Two files that are one wheel by their names: neither is recorded, the others are. `audit` says it too.
git init -q twins
mkdir twice
cp published/$a twice/
cp published/$a "twice/${a^}"
cp published/$b twice/
expect_exit 1 ledger backfill --witness native --farm twins twice
expect_line out "3 wheels: 1 inferred, 0 inferred before, 0 recorded by their builds, 2 not recorded"
[ "$(grep -c '^error\[published-twice\] ' out)" = 2 ] || { cat out >&2; fail "not both are named"; }
run audit --witness native --farm twins twice
[ "$(grep -c '^warning\[published-twice\] twice/.* are the same wheel by their names, and one entry is for both$' err)" = 1 ] || { cat err >&2; fail "audit says nothing"; }

# A ledger that was not fetched is not one that is empty.
git init -q --bare there.git
git -C farm push -q "$work/there.git" wheel-ledger
git init -q unfetched
git -C unfetched remote add origin "$work/there.git"
for command in audit "ledger backfill"; do
  # shellcheck disable=SC2086
  expect_exit 3 $command --witness native --farm unfetched --offline published
  expect_error <<'EOT'
error: the branch wheel-ledger of origin was not fetched, so nobody can say what is recorded
    fix: leave out --offline, or fetch the branch before: `git fetch REMOTE BRANCH`
EOT
done

# What cannot be meant.
backfill 2
expect_error <<'EOT'
error: no wheels are named
    fix: give wheels or folders of wheels, or --gh for those of the farm's releases
EOT
backfill 2 --package x published
backfill 2 --json published/$a published
expect_error <<EOT
error: --json would overwrite published/$a
    fix: give it a file of its own
EOT
expect_exit 3 ledger backfill --farm / published
