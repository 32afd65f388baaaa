#!/usr/bin/env bash
# lint --sarif: as its schema says; places are URIs that lead to the files; what is let pass is no alert.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
schema=$root/build/deps/crates/serde-sarif/src/schema.json
[ -e "$schema" ] || lacking "SARIF schema at $schema: run .ci/setup"
is_sarif() { # is_sarif FILE EXPRESSION...: a log of one run `r`, in which each holds
  "$venv/bin/check-jsonschema" --regex-variant nonunicode --schemafile "$schema" "$1" >schema.log 2>&1 || { cat schema.log >&2; fail "$1 is no SARIF"; }
  python3 - "$@" <<'PYTHON' || fail "$1 is not as expected"
import json, os, sys, urllib.parse
r, = json.load(open(sys.argv[1]))["runs"]
rules = [rule["id"] for rule in r["tool"]["driver"]["rules"]]
places = [result["locations"][0]["physicalLocation"] for result in r["results"]]
uris = [place["artifactLocation"]["uri"] for place in places]
paths = [urllib.parse.unquote(uri.removeprefix("file://")) for uri in uris]
for result in r["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"], result
for expression in sys.argv[2:]:
    assert eval(expression), (expression, r["results"])
PYTHON
}
lint_farm "12.4=8.0;8.6"
name=$'src/example_attn/a b%20:é\n#?.cu'
mkdir -p src/example_attn
cp "$root/tests/nvcc/src/gated.cu" "$name"
cp "$root/tests/nvcc/src/gated.cu" src/example_attn/known.cu
echo 'os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"' >src/example_attn/setup.py
cat >>farm/packages/example_attn.yml <<'YAML'
nvcc_flags: -compress-mode=size
lint_ignore:
  - {rule: arch-gate, path: known.cu, reason: known}
  - {rule: fp8-type, reason: gone}
YAML
expect_exit 1 lint --farm farm --sources src --sarif lint.sarif
is_sarif lint.sarif 'all(map(os.path.isfile, paths))' '"originalUriBaseIds" not in r' \
  '"src/example_attn/a%20b%2520%3A%C3%A9%0A%23%3F.cu" in uris' 'not any("known" in uri for uri in uris)' \
  'sorted(x["ruleId"] for x in r["results"]) == ["arch-gate", "arch-list-override", "compress-mode", "stale-ignore"]' \
  '{x["ruleId"]: x["level"] for x in r["results"]} | {"stale-ignore": "warning"} == {x["ruleId"]: x["level"] for x in r["results"]}' \
  '[p["region"]["startLine"] for p, u in zip(places, uris) if u.startswith("src")] == [5, 1]' \
  'all(x["help"]["text"] and x["shortDescription"]["text"] for x in r["tool"]["driver"]["rules"])'

# From elsewhere: an absolute path is a URI of its own.
expect_exit 1 lint --farm farm --sources "$work/src" --sarif lint.sarif
is_sarif lint.sarif 'all(map(os.path.isfile, paths))' "any(uri.startswith('file://$work/src/') for uri in uris)"

# Nothing found is a log, too.
echo 'device_code: required' >farm/packages/none.yml
printf 'source_repo: example-org/none\n' >>farm/packages/none.yml
mkdir src/none && : >src/none/setup.py
expect_exit 0 lint none --farm farm --sources src --sarif lint.sarif
is_sarif lint.sarif 'r["results"] == []'

# What was fetched has no place in the working folder.
need git
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=nobody GIT_AUTHOR_EMAIL=nobody@localhost GIT_COMMITTER_NAME=nobody
export GIT_COMMITTER_EMAIL=nobody@localhost
git init --quiet --initial-branch=main up
git -C up config uploadpack.allowAnySHA1InWant true
cp src/example_attn/known.cu up/
git -C up add . && git -C up commit --quiet -m one && git -C up tag v1
printf 'source_repo: file://%s/up\nsource_tag: v1\n' "$work" >farm/packages/example_attn.yml
expect_exit 1 lint example_attn --farm farm --fetch --cache kept --sarif lint.sarif
is_sarif lint.sarif 'uris == ["known.cu"] and places[0]["artifactLocation"]["uriBaseId"] == "example_attn"' \
  '"up v1 (" in r["originalUriBaseIds"]["example_attn"]["description"]["text"]'
