#!/usr/bin/env bash
# The example workflow for a farm, whole, with nvcc: the first run builds all, the second nothing, and after a bump of the
# epoch all is built again. A build script that overwrites the list is found by lint; where that is let pass, the gate fails
# its row before the upload, and the other row is uploaded and recorded all the same. Pages are built from the last one on.
. "$(dirname "$0")/farm_lib.sh"
make_remote remote.git
make_source scale_ops a.cu
make_source both_ops a.cu b.cu
make_repository
make_policy "8.0;9.0" scale_ops both_ops
take_workflow example-matrix <<'PYTHON'
source = jobs["build"]["steps"][1]
assert source.pop("with")["repository"] == "${{ matrix.source_repo }}"
del source["uses"]
source |= {"env": {"REPO": "${{ matrix.source_repo }}", "TAG": "${{ matrix.source_tag }}"}, "run": 'git clone -q --branch "$TAG" "$REPO" source'}
build = step("build", "build")
pip = '"/opt/python/$tag-$tag/bin/pip" wheel'
assert pip in build["run"] and build["env"]["TORCH_CUDA_ARCH_LIST"] == "${{ matrix.arch_list }}"
build["run"] = build["run"].replace(pip, '"$PIP" wheel --no-build-isolation')
PYTHON
push_repository
github '{"releases": {}}'
tag=cp${python/./}
scale=scale_ops-1.0+cu130torch2.9-$tag-$tag-linux_x86_64.whl
both=both_ops-1.0+cu130torch2.9-$tag-$tag-linux_x86_64.whl
run_farm() { run_workflow push "$1" --env PIP="$venv/bin/pip"; }

run_farm 0
expect_built 2
expect_released "$scale" "$both"
expect_ledger "$work/remote.git" 2 1
[ "$(recorded "both_ops/$both.json" '.arch_list, (.archs.sass | join(" ")), .build_epoch, .source.ref' | paste -sd,)" = "8.0;9.0+PTX,sm_80 sm_90,1,v1.0" ] ||
  { recorded "both_ops/$both.json" . >&2; fail "another entry"; }

run_farm 0
in_log "nothing to build"
expect_built 0
expect_ledger "$work/remote.git" 2 1

set_epoch 2
push_repository
run_farm 0
expect_built 2
expect_released "$scale" "$both"
expect_ledger "$work/remote.git" 2 2
[ "$(recorded "scale_ops/$scale.json" '.build_epoch')" = 2 ] || fail "the new epoch is not recorded"
run_farm 0
expect_built 0

# One build script overwrites the list.
sed -i '/^class /i os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0+PTX"\n' "$work/sources/both_ops/setup.py"
tag_source both_ops
set_epoch 3
push_repository
run_farm 1
in_log "error[arch-list-override] both_ops"
expect_built 0
echo 'lint_ignore: [{rule: arch-list-override, reason: to see what the gate says}]' >>packages/both_ops.yml
push_repository
run_farm 1
in_log "error[missing-arch] $both: sm_80 requested"
expect_built 1
expect_released "$scale" "$both"
[ "$(recorded "scale_ops/$scale.json" .build_epoch)" = 3 ] && [ "$(recorded "both_ops/$both.json" .build_epoch)" = 2 ] || fail "other epochs are recorded"
! grep -F "POST " "$work/says.json.log" | grep -F "$both" >&2 || fail "the narrowed wheel was uploaded"

# Page by page, from the last one: a page that is no longer there is passed over, and after the first it is done.
run_workflow workflow_dispatch 1 --env PIP="$venv/bin/pip" --input page=2
[ "$(jq -c "[.dispatched[].inputs]" "$work/says.json")" = '[{"page":"1"}]' ] || fail "the page before was not started"
expect_built 0
