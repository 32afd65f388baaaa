#!/usr/bin/env bash
# The example workflow for a farm, run by act: the builds are replaced by wheels that are there, the artifacts by a folder,
# and GitHub's releases by folders behind a gh of our own. What is missing is built, gated, uploaded and recorded; the
# second run finds nothing to build, and after a bump the third builds again. Before all that, lint ends a run.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need jq
need_act
make_remote remote.git
mkdir -p bin releases built artifacts
cp "$root"/docs/example-farm/before/*.whl "$root"/tests/example/{narrow,stub}_pkg-*.whl built/
cat >bin/gh <<'GH'
#!/usr/bin/env bash
# The commands that the workflow and the program use, on the folders $RELEASES/TAG.
set -euo pipefail
assets() { (cd "$RELEASES/$1" && ls) | jq -R '{id: 1, name: ., state: "uploaded", size: 1}' | jq -s .; }
case "$1 $2" in
  "release view") [ -d "$RELEASES/$3" ] ;;
  "release create") mkdir "$RELEASES/$3" ;;
  "release upload") cp "$4" "$RELEASES/$3/" ;;
  "api --paginate")
    number=${3#*/releases/}
    assets "$(ls "$RELEASES" | sed -n "${number%%/*}p")"
    ;;
  "api "*/releases/tags/*)
    tag=${2##*/}
    [ -d "$RELEASES/$tag" ] || { echo "gh: Not Found (HTTP 404)" >&2; exit 1; }
    assets "$tag" | jq -c --argjson id "$(ls "$RELEASES" | grep -nxF "$tag" | cut -d: -f1)" '{id: $id, assets: .}'
    ;;
  "api repos/"*) echo '{"id": 1}' ;;
  *) echo "gh: unexpected: $*" >&2; exit 1 ;;
esac
GH
chmod +x bin/gh
make_repository
cp -r "$root/docs/example-farm/packages" .
"$venv/bin/python" - "$root/.github/workflows/example-matrix.yml" <<'PYTHON' >.github/workflows/example.yml
import json, sys
from ruamel.yaml import YAML
jobs = YAML(typ="safe").load(open(sys.argv[1]))["jobs"]
_, ask = jobs["matrix"]["steps"]
ask["with"]["extra-args"] += "\n--cuda=13.0"
del jobs["build"]["container"]
checkout, sources, build, gate, keep = jobs["build"]["steps"]
jobs["build"]["steps"].remove(sources)
assert build["env"]["TORCH_CUDA_ARCH_LIST"] == "${{ matrix.arch_list }}" and gate["with"]["wheels"] == "dist/*.whl"
build["env"]["PACKAGE"] = "${{ matrix.package }}"
build["run"] = 'mkdir -p dist && rm -f dist/*.whl* && cp "$BUILT/$PACKAGE"-*.whl dist/'
assert keep.pop("uses").startswith("actions/upload-artifact@")
name, paths = keep.pop("with")["name"], "dist/*.whl dist/*.whl.ledger.json"
keep["run"] = f'mkdir -p "$ARTIFACTS/{name}" && cp {paths} "$ARTIFACTS/{name}/"'
checkout, download, upload, collect = jobs["publish"]["steps"]
assert download.pop("uses").startswith("actions/download-artifact@")
given = download.pop("with")
download["run"] = f"rm -rf uploaded built && mkdir built && cp \"$ARTIFACTS\"/{given['pattern']}/* built/"
for step in (ask, gate, collect):
    assert step["uses"].startswith("example-org/wheelarch@")
    step["uses"] = "./"
print(json.dumps({"name": "example", "on": "push", "jobs": jobs}))
PYTHON
commit_repository
git remote add origin "$(url_of "$work/remote.git")"
# The sources, each a repository of its own, from which lint fetches them.
for package in example_pkg narrow_pkg stub_pkg; do
  cp -r "$root/docs/example-farm/sources/$package" "$work/$package"
  (cd "$work/$package" && commit_repository && git tag v1.0 && git config uploadpack.allowAnySHA1InWant true)
  sed -i "s#example-org/$package#file://$work/$package#" packages/$package.yml
done
commit_repository
export BUILT=$work/built ARTIFACTS=$work/artifacts RELEASES=$work/releases PATH=$work/bin:$PATH

build_what_is_missing() { # and what is uploaded and recorded then
  rm -rf "$ARTIFACTS" && mkdir "$ARTIFACTS"
  run_example || { tail -n 80 "$work/log" >&2; fail "the run failed"; }
}
count() { find "$RELEASES" -name '*.whl' | wc -l; }
run_example() { run_act --env BUILT="$BUILT" --env ARTIFACTS="$ARTIFACTS" --env RELEASES="$RELEASES"; }
mkdir -p "$ARTIFACTS"
run_example && fail "sources that the lists do not fit passed"
grep -qF "error[arch-gate] example_pkg: 8.9 is not declared" "$work/log" || { tail -n 80 "$work/log" >&2; fail "lint did not say why"; }
[ -z "$(ls "$ARTIFACTS")" ] && [ "$(count)" = 0 ] || fail "a job started although lint failed"
echo 'lint_ignore: [{rule: arch-gate, reason: the host asks for 8.9 before it launches it}]' >>packages/example_pkg.yml
commit_repository
build_what_is_missing
[ "$(count)" = 3 ] || { tail -n 80 "$work/log" >&2; fail "$(count) wheels were uploaded"; }
[ "$(git -C "$work/remote.git" ls-tree -r --name-only wheel-ledger | wc -l)" = 3 ] || fail "not all were recorded"

build_what_is_missing
grep -q "nothing to build" "$work/log" || { tail -n 80 "$work/log" >&2; fail "the second run found something to build"; }
[ -z "$(ls "$ARTIFACTS")" ] || fail "the second run built something"

sed -i 's/^build_epoch: 1/build_epoch: 2/' packages/_defaults.yml
commit_repository
build_what_is_missing
git -C "$work/remote.git" show "wheel-ledger:$(git -C "$work/remote.git" ls-tree -r --name-only wheel-ledger | head -n 1)" >entry.json
grep -q '"build_epoch": 2' entry.json && grep -q '"history"' entry.json || { cat entry.json >&2; fail "after the bump nothing was built again"; }

# The workflow that plans: a list that changes without a bump fails, and with one it does not; what kept its list is carried.
plan() { # plan JOB: runs it as .github/workflows/example.yml
  "$venv/bin/python" - "$root/.github/workflows/example-plan.yml" "$1" <<'PYTHON' >.github/workflows/example.yml
import json, sys
from ruamel.yaml import YAML
job = YAML(typ="safe").load(open(sys.argv[1]))["jobs"][sys.argv[2]]
del job["if"]
_, step = job["steps"]
assert step["uses"].startswith("example-org/wheelarch@")
step["uses"] = "./"
print(json.dumps({"name": "example", "on": "push", "jobs": {"plan": job}}))
PYTHON
  commit_repository
  run_act
}
sed -i 's/"13.0": "8.0"/"13.0": "8.0;9.0"/' packages/_arch_policy.yml
plan check && fail "a list that changed without a bump passed"
grep -qF "error[drifted] example_pkg: 1 wheel" "$work/log" || { tail -n 60 "$work/log" >&2; fail "the log does not say why"; }
sed -i 's/^build_epoch: 2/build_epoch: 3/' packages/_defaults.yml
plan check || { tail -n 60 "$work/log" >&2; fail "with the bump it fails"; }
plan carry || { tail -n 60 "$work/log" >&2; fail "nothing could be carried"; }
grep -q "carried 1 wheel forward" "$work/log" || { tail -n 60 "$work/log" >&2; fail "narrow_pkg was not carried forward"; }
