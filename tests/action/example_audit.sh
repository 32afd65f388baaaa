#!/usr/bin/env bash
# The example workflow that sweeps over all published wheels, run by act: the artifacts are replaced by a folder, and
# GitHub's releases are those of gh_server.py, which the real gh asks. What was not recorded is recorded in one commit, from
# all shards; a wheel that is wrong fails the run; once it is put right, the next run passes.
. "$(dirname "$0")/farm_lib.sh"
make_remote remote.git
mkdir released
cp "$root"/docs/example-farm/before/*.whl "$root"/tests/example/{narrow,rdc,stub}_pkg-*.whl released/
make_repository
cp -r "$root/docs/example-farm/packages" .
take_workflow example-audit <<'PYTHON'
step("list", "list")["env"]["SHARDS"] = "3"
PYTHON
push_repository

released() { # what GitHub has from now on
  github '{"releases": {p + "_pkg-latest": [{"path": f} for f in __import__("glob").glob("'"$work"'/released/" + p + "_pkg-*")]
    for p in ("example", "narrow", "rdc", "stub")} | {"v1": ["other-1.0-py3-none-any.whl"]}}'
}
sweep() { # sweep CODE
  released
  run_workflow push "$1"
}
downloads() { grep -c '^/example-org/farm/releases/download/' "$work/says.json.log" || true; }

# The first sweep: nothing is recorded of any.
sweep 0
in_log "4 wheels: 0 ok, 0 config-moved, 4 unrecorded, 0 wheel-wrong, 0 unreadable"
expect_ledger "$work/remote.git" 4 1
[ "$(find "$ARTIFACTS" -name 'audit-*.json' | wc -l)" = 3 ] || fail "not three shards"

# The second one knows them, and downloads only that of a package whose members are held to lists of their own.
sweep 0
in_log "4 wheels: 3 ok, 1 config-moved, 0 unrecorded, 0 wheel-wrong, 0 unreadable"
grep -q expect_members packages/narrow_pkg.yml || fail "another farm"
[ "$(downloads)" = 1 ] || fail "$(downloads) wheels were downloaded"
grep -q '^/example-org/farm/releases/download/narrow_pkg-latest/' "$work/says.json.log" || fail "another wheel was downloaded"
expect_ledger "$work/remote.git" 4 1

# A wheel is swapped for another one.
wrong=$(cd "$work/released" && echo narrow_pkg-*.whl)
cp "$work/released/$wrong" "$work/right.whl"
"$venv/bin/python" - "$work/released/$wrong" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "a") as archive:
    archive.writestr("narrow_pkg/planted.py", "1")
PYTHON
sweep 1
in_log "4 wheels: 2 ok, 1 config-moved, 0 unrecorded, 1 wheel-wrong, 0 unreadable"
in_log "error[replaced-after-recording]"
in_log "error[already-recorded]"
expect_ledger "$work/remote.git" 4 1
cp "$work/right.whl" "$work/released/$wrong"
sweep 0
