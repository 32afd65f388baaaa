# Shared by the scenarios that run whole workflows, by act as on a self-hosted runner: packages that nvcc builds, a bare
# repository as the remote, and GitHub's releases, workflows and comments played by gh_server.py, which the real gh asks.
# What is replaced in a workflow, take_workflow.py and the scenario say.
# shellcheck shell=bash disable=SC2034,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/gh_lib.sh"
. "$root/tests/ledger/lib.sh"
need jq git g++
need_act
[ -x "$toolkit/bin/nvcc" ] || lacking "nvcc in $toolkit: run .ci/setup"
export ARTIFACTS=$work/artifacts NVCC=$toolkit/bin/nvcc PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python=$("$venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

# act loses the end of what a step says if it fails. So each script is run by this, which keeps it in $work/kept.log.
export KEPT=$work/kept
cat >"$KEPT" <<'SH'
#!/bin/sh
said=$(mktemp "$0.XXXXXX")
code=0
"$@" >"$said" 2>&1 || code=$?
cat "$said" >>"$0.log"
cat "$said"
exit "$code"
SH
chmod +x "$KEPT"

# make_source NAME FILE.cu...: its repository at $work/sources/NAME, at the tag v1.0, of files of tests/nvcc/src.
make_source() {
  mkdir -p "$work/sources/$1/csrc"
  sed "s/@NAME@/$1/" "$root/tests/action/cuda_setup.py" >"$work/sources/$1/setup.py"
  (cd "$root/tests/nvcc/src" && cp "${@:2}" "$work/sources/$1/csrc/")
  tag_source "$1"
}
tag_source() { (cd "$work/sources/$1" && commit_repository && git tag -f v1.0 >/dev/null && git config uploadpack.allowAnySHA1InWant true); }

# make_policy LIST PACKAGE...: the farm's, in the repository at hand.
make_policy() {
  mkdir -p packages
  cat >packages/_defaults.yml <<YAML
build_epoch: 1
combinations:
  - {cuda: "13.0", pytorch: "2.9.0", python_versions: ["$python"]}
arch_policy: {"13.0": "$1"}
YAML
  local package
  for package in "${@:2}"; do
    printf 'name: %s\nversion: "1.0"\nsource_repo: %s\nsource_tag: v1.0\n' "$package" "$(url_of "$work/sources/$package")" >"packages/$package.yml"
  done
}
set_epoch() { sed -i "s/^build_epoch: .*/build_epoch: $1/" packages/_defaults.yml; }

# take_workflow NAME <PYTHON: becomes the one workflow of the repository at hand. It is an example or one of this repository.
take_workflow() {
  local workflow=$root/docs/examples/$1.yml
  [ -e "$workflow" ] || workflow=$root/.github/workflows/$1.yml
  "$venv/bin/python" "$root/tests/action/take_workflow.py" "$workflow" \
    >.github/workflows/example.yml || fail "$1.yml is not as expected"
}
keep_steps() {
  sed -i "s#^\( *\)shell: sh\$#\1shell: $KEPT sh -e {0}#" action.yml
  grep -qF "$KEPT" action.yml || fail "action.yml has no step for sh"
}
push_repository() { # what is at hand, to the remote's main
  grep -qF "$KEPT" action.yml || keep_steps
  git init -q .
  [ -z "$(git status --porcelain)" ] || commit_repository
  git remote get-url origin >"$work/remote_url" 2>&1 || git remote add origin "$(url_of "$work/remote.git")"
  git push -q origin HEAD:refs/heads/main --force
}
# github PYTHON: what GitHub has from now on, as says of gh_lib.sh has it.
github() { cd "$work" && says "$1" && cd - >/dev/null; }
# run_workflow EVENT CODE [OPTION...]: the log goes to $work/log, artifacts to $ARTIFACTS.
run_workflow() {
  rm -rf "$ARTIFACTS" "$work/cache" && mkdir "$ARTIFACTS"
  : >"$KEPT.log"
  local code=0
  HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache "$act" "$1" --env ARTIFACTS="$ARTIFACTS" \
    --env GH_CONFIG_DIR="$GH_CONFIG_DIR" --env GITHUB_REPOSITORY=example-org/farm --env NVCC="$NVCC" \
    -s GITHUB_TOKEN=secret-token "${@:3}" >"$work/log" 2>&1 || code=$?
  [ "$code" = "$2" ] || { cat "$work/log" "$KEPT.log" >&2; fail "the run ended with $code instead of $2"; }
}
in_log() { grep -qF -e "$1" "$work/log" "$KEPT.log" || { cat "$work/log" >&2; fail "the log does not say: $1"; }; }
# expect_built COUNT: that many rows were built, gated and kept in the last run.
expect_built() {
  local found
  found=$(find "$ARTIFACTS" -name '*.whl' | wc -l)
  [ "$found" = "$1" ] || { tail -n 100 "$work/log" >&2; fail "$found wheels were built instead of $1"; }
}
# expect_released NAME...: the wheels that the releases have, each the one that is recorded.
expect_released() {
  jq -r '.releases[][] | objects.path' "$work/says.json" | xargs -r -n 1 basename | sort >"$work/released"
  printf '%s\n' "$@" | sort | diff - "$work/released" >&2 || fail "other wheels were released"
  local path recorded
  for path in $(jq -r '.releases[][] | objects.path' "$work/says.json"); do
    recorded=$(git -C "$work/remote.git" show "wheel-ledger:$(basename "$path" | cut -d- -f1)/$(basename "$path").json" | jq -r .wheel.sha256)
    [ "$(sha256sum <"$path" | cut -d' ' -f1)" = "$recorded" ] || fail "$path is not the wheel that is recorded"
  done
}
recorded() { git -C "$work/remote.git" show "wheel-ledger:$1" | jq -r "$2"; } # recorded PACKAGE/WHEEL.json FILTER
