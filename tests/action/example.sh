#!/usr/bin/env bash
# The example workflow, run by act: the build is replaced by a wheel without sm_70, which only one of its two lists asks for.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_act
wheel all_majors.so=pkg/_C.so
cp $wheel "$work/built.whl"
make_repository
"$venv/bin/python" - "$root/.github/workflows/example-build-wheel.yml" <<'PYTHON' >.github/workflows/example.yml
import json, sys
from ruamel.yaml import YAML
workflow = YAML(typ="safe").load(open(sys.argv[1]))
job = workflow["jobs"]["build"]
del job["container"]
checkout, build, check, upload = job["steps"]
assert build["env"] == {"TORCH_CUDA_ARCH_LIST": "${{ matrix.arch-list }}"} and check["with"]["wheels"] == "dist/*.whl"
build["run"] = 'mkdir -p dist && cp "$BUILT" dist/pkg-1.0-cp312-cp312-linux_x86_64.whl'
assert check["uses"].startswith("example-org/wheelarch@")
check["uses"] = "./"
assert upload["uses"].startswith("actions/upload-artifact@")
job["steps"][3] = {"run": "echo uploading ${{ matrix.cuda }} && ls dist/*.whl '${{ steps.wheelarch.outputs.report }}'"}
print(json.dumps({"name": "example", "on": "push", "jobs": {"build": job}}))
PYTHON
commit_repository
export BUILT=$work/built.whl

run_act --env BUILT="$BUILT" && fail "the wheel without sm_70 passed"
grep -q 'uploading 13.0' "$work/log" || { tail -60 "$work/log" >&2; fail "the wheel that is as requested was not uploaded"; }
! grep -q 'uploading 12.8' "$work/log" || fail "the wheel without sm_70 was uploaded"
grep -qF "error[missing-arch] $wheel: sm_70 requested" "$work/log" || fail "the log does not say why"
