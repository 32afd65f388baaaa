#!/usr/bin/env bash
# The example workflow for one package, whole, with nvcc; the wheels for Windows are fixtures. A row whose build script
# overwrites the list fails before the upload, and the others are uploaded and recorded all the same. The next run builds
# that row alone, and the one after it nothing; nor does a row whose wheel appeared after the matrix was made.
. "$(dirname "$0")/farm_lib.sh"
need_fixtures
make_remote remote.git
make_repository
printf -- "-P %s=-self-hosted\n" ubuntu-24.04 windows-2022 >"$work/config/act/actrc"
mkdir packages csrc
cp "$root/tests/nvcc/src/a.cu" csrc/
cat >packages/_defaults.yml <<YAML
platforms: [linux, windows]
combinations:
  - {cuda: "12.8", pytorch: "2.8.0", python_versions: ["$python"]}
  - {cuda: "13.0", pytorch: "2.9.0", python_versions: ["$python"]}
arch_policy: {"12.8": "8.0;9.0", "13.0": "8.0;9.0"}
YAML
echo '{name: example_pkg, version: "1.0"}' >packages/example_pkg.yml
sed 's/@NAME@/example_pkg/' "$root/tests/action/cuda_setup.py" >"$work/setup.py"
sed '/^class /i os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0" if os.environ["CUDA"] == "130" else os.environ["TORCH_CUDA_ARCH_LIST"]\n' "$work/setup.py" >setup.py
tag=cp${python/./}
linux12=example_pkg-1.0+cu128torch2.8-$tag-$tag-linux_x86_64.whl
linux13=example_pkg-1.0+cu130torch2.9-$tag-$tag-linux_x86_64.whl
windows12=example_pkg-1.0+cu128torch2.8-$tag-$tag-win_amd64.whl
windows13=example_pkg-1.0+cu130torch2.9-$tag-$tag-win_amd64.whl
mkdir "$work/windows"
made_wheel "$work/windows" example_pkg 1.0+cu128torch2.8 "$tag-$tag-win_amd64" pe_long_name.pyd=example_pkg/_C.pyd
made_wheel "$work/windows" example_pkg 1.0+cu130torch2.9 "$tag-$tag-win_amd64" pe_short_name.pyd=example_pkg/_C.pyd

take() { # take <PYTHON: the example, its builds as this machine can do them, and what the script says
  {
    cat <<'PYTHON'
build = step("build", "build for Linux")
before, pip, after = build["run"].partition('"/opt/python/$tag-$tag/bin/pip" wheel')
assert "docker run" in before and "--env TORCH_CUDA_ARCH_LIST " in before and pip
build["run"] = '"$PIP" wheel --no-build-isolation' + after
build = step("build", "build for Windows")
assert build["env"]["TORCH_CUDA_ARCH_LIST"] == "${{ matrix.arch_list }}"
build["run"] = 'cp "$WINDOWS"/*+cu"$CUDA"torch*.whl dist/'
PYTHON
    cat
  } | take_workflow example-build-wheel
  push_repository
}
run_package() { run_workflow push "$1" --env PIP="$venv/bin/pip" --env WINDOWS="$work/windows"; }
github '{"releases": {"v1": ["other-1.0-py3-none-any.whl"]}}'
take </dev/null

run_package 1
in_log "error[missing-arch] $linux13: sm_90 requested"
expect_built 3
expect_released "$linux12" "$windows12" "$windows13"
expect_ledger "$work/remote.git" 3 1

cp "$work/setup.py" setup.py
push_repository
run_package 0
expect_built 1
expect_released "$linux12" "$linux13" "$windows12" "$windows13"
expect_ledger "$work/remote.git" 4 2

run_package 0
in_log "nothing to build"
expect_built 0

take <<'PYTHON'
step("matrix", "matrix")["with"]["extra-args"] = "--all"
PYTHON
run_package 0
[ "$(grep -c 'set-output:: exists=true' "$work/log")" -ge 4 ] || { cat "$work/log" >&2; fail "not every row was asked"; }
expect_built 0
expect_ledger "$work/remote.git" 4 2
