#!/usr/bin/env bash
# Two build jobs gate, one job records what they uploaded: workflow-collect.yml, run by act against a bare repository.
# A folder takes the place of the artifacts.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need_fixtures
need_act
make_remote remote.git
make_repository
cp "$root/tests/action/workflow-collect.yml" .github/workflows/
for python in 311 312; do
  made_wheel . pkg 1.0+cu130torch2.9 cp$python-cp$python-linux_x86_64 ext_no_ptx.so=pkg/_C.so
done
commit_repository
git remote add origin "$(url_of "$work/remote.git")"
export ARTIFACTS=$work/artifacts
mkdir "$ARTIFACTS"

run_act --env ARTIFACTS="$ARTIFACTS" || { tail -n 100 "$work/log" >&2; fail "the workflow failed"; }
grep -q 'all jobs were reached' "$work/log" || { tail -n 100 "$work/log" >&2; fail "the workflow did not reach its end"; }
cd "$work"
expect_ledger remote.git 2 1
for python in 311 312; do
  name=pkg-1.0+cu130torch2.9-cp$python-cp$python-linux_x86_64.whl
  expect_exit 0 ledger show $name --farm remote.git --json -
  check_json out 'd["entry"]["wheel"]["sha256"] == "'"$(sha256sum <"$ARTIFACTS/wheels/$name" | cut -d' ' -f1)"'"' \
    'd["entry"]["cell"]["python"] == "3.'${python#3}'" and d["entry"]["build_epoch"] == 2 and d["entry"]["arch_list"] == "8.0;9.0"' \
    'd["entry"]["run"]["run_id"] and d["entry"]["run"]["sha"]'
done
