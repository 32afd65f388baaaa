#!/usr/bin/env bash
# The example workflow, run by act: the build is replaced by a wheel without sm_70, which only one of its two lists asks
# for, and the artifacts by a folder. What was uploaded is recorded, although the other row failed.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need_fixtures
need_act
made_wheel . example_pkg 1.0 cp312-cp312-linux_x86_64 all_majors.so=pkg/_C.so
name=example_pkg-1.0-cp312-cp312-linux_x86_64.whl
make_remote remote.git
make_repository
"$venv/bin/python" - "$root/.github/workflows/example-build-wheel.yml" <<'PYTHON' >.github/workflows/example.yml
import json, sys
from ruamel.yaml import YAML
workflow = YAML(typ="safe").load(open(sys.argv[1]))
job, record = workflow["jobs"]["build"], workflow["jobs"]["record"]
del job["container"]
checkout, build, gate, wheel, entry = job["steps"]
assert build["env"] == {"TORCH_CUDA_ARCH_LIST": "${{ matrix.arch_list }}"} and gate["with"]["wheels"] == "dist/*.whl"
build["run"] = 'mkdir -p dist && cp "$BUILT" dist/'
for upload in (wheel, entry):
    assert upload.pop("uses").startswith("actions/upload-artifact@")
    given = upload.pop("with")
    upload["run"] = f"mkdir -p \"$ARTIFACTS/{given['name']}\" && cp {given['path']} \"$ARTIFACTS/{given['name']}/\""
checkout, download, collect = record["steps"]
assert download.pop("uses").startswith("actions/download-artifact@")
given = download.pop("with")
download["run"] = f"mkdir {given['path']} && cp -r \"$ARTIFACTS\"/{given['pattern']} {given['path']}/"
for step in (gate, collect):
    assert step["uses"].startswith("example-org/wheelarch@")
    step["uses"] = "./"
print(json.dumps({"name": "example", "on": "push", "jobs": workflow["jobs"]}))
PYTHON
commit_repository
git remote add origin "$(url_of "$work/remote.git")"
export BUILT=$work/$name ARTIFACTS=$work/artifacts
mkdir "$ARTIFACTS"

run_act --env BUILT="$BUILT" --env ARTIFACTS="$ARTIFACTS" && fail "the wheel without sm_70 passed"
grep -qF "error[missing-arch] $name: sm_70 requested" "$work/log" || { tail -n 60 "$work/log" >&2; fail "the log does not say why"; }
cd "$work"
[ "$(cd artifacts && echo ./*/*)" = "./ledger-cuda13.0/$name.ledger.json ./wheel-cuda13.0/$name" ] || { find artifacts >&2; fail "other artifacts"; }
expect_ledger remote.git 1
expect_exit 0 ledger show $name --farm remote.git
expect_line out "  requested  7.5;8.0;9.0;10.0;12.0+PTX"
