#!/usr/bin/env bash
# What gate writes is as docs/*.schema.json say, to the last key; each key is described, and docs/provenance.md has it.
. "$(dirname "$0")/../cli/lib.sh"
validate=$venv/bin/check-jsonschema
[ -x "$validate" ] || lacking "check-jsonschema: run .ci/setup"
need git unzip
build_info=$root/docs/build-info.schema.json
entry=$root/docs/ledger-entry.schema.json
"$validate" --check-metaschema "$build_info" "$entry" >log || { cat log >&2; fail "a schema is no schema"; }

cat >row.json <<'JSON'
{"package": "example_pkg", "version": "1.0", "cuda": "13.0", "pytorch": "2.9.0", "python": "3.12", "platform": "linux",
 "arch_list": "8.0;9.0+PTX", "build_epoch": 2, "exists_key": "example_pkg-1.0+cu130torch2.9-cp312-linux@epoch2",
 "source_repo": "example-org/example_pkg", "source_tag": "v1.0"}
JSON
gate() { # gate FOLDER OPTION...: a fresh copy of the example wheel, and its stamp beside it
  mkdir -p "$1"
  cp "$root"/tests/example/example_pkg-*.whl "$1"
  "$WHEELARCH" gate --witness native "${@:2}" "$1" >log || { cat log >&2; fail "gate ${*:2}"; }
  unzip -p "$1"/*.whl '*/_build_info.json' >"$1/stamp.json"
}
is_valid() { # is_valid SCHEMA FILE
  "$validate" --schemafile "$1" "$2" >log || { cat log >&2; fail "$2 is not as $1 says"; }
}
gate by-name --arch-list "8.0;9.0+PTX"
(
  export GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://example.org GITHUB_REPOSITORY=example-org/farm GITHUB_RUN_ID=1 \
    GITHUB_RUN_ATTEMPT=1 GITHUB_WORKFLOW_REF=example-org/farm/.github/workflows/build.yml@refs/heads/main \
    GITHUB_SHA=0123456789abcdef0123456789abcdef01234567
  gate by-row --cell row.json --source-commit 0123456789abcdef0123456789abcdef01234567
)
for folder in by-name by-row; do
  is_valid "$build_info" $folder/stamp.json
  is_valid "$entry" $folder/*.ledger.json
  ! "$validate" --schemafile "$build_info" $folder/*.ledger.json >log || fail "the schema of the stamp lets any key pass"
done

# A replaced entry has a history.
git init -q farm
"$WHEELARCH" ledger record --farm farm by-name/*.ledger.json >log
"$WHEELARCH" ledger record --farm farm --replace by-row/*.ledger.json >log
git -C farm show "wheel-ledger:$(git -C farm ls-tree -r --name-only wheel-ledger)" >replaced.json
grep -q '"history"' replaced.json || fail "no history"
is_valid "$entry" replaced.json

python3 - "$root/docs" <<'PYTHON'
import json, os, re, sys

NAMES = ("build-info.schema.json", "ledger-entry.schema.json")

def read(name):
    with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
        return file.read()

documents = {name: json.loads(read(name)) for name in NAMES}
page = read("provenance.md")

def keys(schema):
    """All properties anywhere in a schema, with their own schemas."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from keys(part)

def is_described(schema, name):
    if "description" in schema or "$ref" not in schema:
        return "description" in schema
    file, _, path = schema["$ref"].partition("#/")
    target = documents[file or name]
    for key in path.split("/"):
        target = target[key]
    return is_described(target, file or name)

problems = set()
for name, document in documents.items():
    # What a replaced entry keeps is described where the entry is.
    kept = document["$defs"].get("replaced", {}).get("properties", {})
    for key, schema in keys(document):
        if not is_described(schema, name) and key not in kept:
            problems.add(f"docs/{name}: key {key} has no description")
        if not re.search(rf"`(?:[a-z_\[\]]+\.)*{key}(?:\[\])?[.`]", page):
            problems.add(f"docs/provenance.md: key {key} is missing")
sys.exit("\n".join(sorted(problems)) or 0)
PYTHON
