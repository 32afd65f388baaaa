#!/usr/bin/env bash
# `wheelarch action` with audit and backfill: verdicts, the folder of the entries, shards and their merge.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
git init -q .
mkdir published
cp "$root"/tests/example/{narrow,rdc}_pkg-*.whl published/
narrow=$(echo published/narrow_pkg-*.whl)
sweep() { # sweep EXIT VERDICT NAME=VALUE...
  step_environment
  set_inputs witness=native "${@:3}"
  expect_exit "$1" action
  expect_step_output verdict "$2"
}

sweep 0 unrecorded command=audit wheels=published
expect_line out "wheelarch audit --branch=wheel-ledger --witness=native --json=$RUNNER_TEMP/wheelarch-report.json -- published"
expect_step_output entries ""

# Entries of shards, collected.
for i in 1 2; do
  sweep 0 ok command=backfill wheels=published shard=$i/2 extra-args=--output=entries/$i
  [ ! -d entries/$i ] || expect_step_output entries entries/$i
done
sweep 0 recorded command=collect wheels='entries/**/*.ledger.json'
sweep 0 ok command=backfill wheels=published extra-args=--output=again
expect_step_output entries ""
sweep 0 ok command=audit wheels=published report=r.json
expect_step_output report r.json

# Backfill commits where it is not told to write files.
sweep 0 ok command=backfill wheels=published ledger-branch=other
expect_step_output entries ""
expect_ledger .git 2 1
[ "$(git ls-tree -r --name-only other | wc -l)" = 2 ] || fail "not two entries"

# What is wrong or cannot be read is the verdict, the worst of all; the merge of shards has the same.
cp "$narrow" saved.whl
python3 - "$narrow" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "a") as archive:
    archive.writestr("planted.py", "1")
PYTHON
sweep 1 wheel-wrong command=audit wheels=published
grep -q '^::error title=wheelarch%3A replaced-after-recording::' err || { cat err >&2; fail "no annotation"; }
sweep 1 conflict command=backfill wheels=published
head -c 1000 saved.whl >"$narrow"
sweep 3 unreadable command=audit wheels=published
for i in 1 2; do
  step_environment
  set_inputs witness=native command=audit wheels=published shard=$i/2 report=results/$i.json
  mkdir -p results
  run action
done
sweep 3 unreadable command=audit wheels='results/*.json' extra-args=--merge

# Without wheels it is the releases: of a repository and of packages, which need to be known. A shard that is none.
GITHUB_REPOSITORY="" sweep 3 unchecked command=audit
grep -q "^error: nobody says whose releases are meant: no remote of" err || { cat err >&2; fail "no repository"; }
GITHUB_REPOSITORY=example-org/farm GITHUB_SERVER_URL=https://github.com sweep 2 unchecked command=audit
grep -q "^error: nothing says whose releases are meant: there is no policy here$" err || { cat err >&2; fail "no packages"; }
sweep 2 unchecked command=backfill wheels=published shard=3/2
