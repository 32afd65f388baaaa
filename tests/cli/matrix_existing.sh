#!/usr/bin/env bash
# --existing: every form in which a list of assets comes, and everything that is none: exit 3, never "no wheels".
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
small_farm
sed -i '/^build_epoch/d' farm/packages/*.yml
matrix_of all.json
names_of all.json >names

lists() { # lists PYTHON: a text that makes this list of assets, from the `names` of all wheels
  python3 - "$1" <<'PYTHON' >assets || fail "lists"
import json, sys
names = open("names", encoding="utf-8").read().split()
asset = lambda name, **fields: {"name": name, "state": "uploaded", "size": 10} | fields
gh = lambda name, **fields: {"apiUrl": "https://example.org/1", "contentType": "application/zip", "id": "RA_1", "label": ""} | asset(name, **fields)
sys.stdout.write(eval(sys.argv[1]))
PYTHON
}
leaves() { # leaves ROWS PYTHON
  lists "$2"
  rm -f left.json
  expect_exit 0 matrix --farm farm --existing assets --output left.json --json result.json
  check_json result.json "d['jobs'] == $1 and d['existing'] == 29 - $1"
}
leaves 29 '""'
leaves 29 '" \r\n\n"'
leaves 29 '"[]"'
leaves 29 '"{\"assets\": []}"'
leaves 0 '"\n".join(names)'
leaves 0 '"\ufeff" + "\r\n".join(names + ["SHA256SUMS"]) + "\r\n\r\n"'
leaves 28 'names[0]'
leaves 0 'json.dumps(names)'
leaves 0 'json.dumps({"assets": [gh(n) for n in names]})'                        # gh release view --json assets
leaves 0 'json.dumps([asset(n) for n in names], indent=2)'                       # gh api .../assets
leaves 0 'json.dumps([asset(n) for n in names[:9]]) + json.dumps([asset(n) for n in names[9:]])' # with --paginate
leaves 0 'json.dumps([asset(n) for n in names[:9]]) + "\n" + json.dumps([asset(n) for n in names[9:]]) + "\n"'
leaves 0 'json.dumps([[asset(n) for n in names[:9]], [asset(n) for n in names[9:]], []])'        # with --slurp
leaves 0 'json.dumps([{"tag_name": "a", "name": "v1", "assets": [asset(n) for n in names[:9]]}, {"tag_name": "b", "assets": [asset(n) for n in names[9:]]}])'
leaves 0 'json.dumps({"id": 1, "tag_name": "a", "message": "not an error", "assets": [asset(n) for n in names]})'
leaves 0 'json.dumps([asset(n) for n in names] + [asset(f"example_attn-{i}.0+cu128torch2.7-cp312-cp312-linux_x86_64.whl") for i in range(7000)])'
# What is not there for download does not exist.
leaves 1 'json.dumps([asset(names[0], state="starter")] + [asset(n) for n in names[1:]])'
expect_said <<EOT2
warning[unfinished-upload] 1 asset was not uploaded to the end and does not count: $(head -1 names)
    fix: delete them from the release, or their names stay taken
EOT2
leaves 1 'json.dumps({"assets": [gh(names[0], size=0)] + [gh(n) for n in names[1:]]})'
leaves 29 'json.dumps([asset(n, state="starter", size=0) for n in names])'
leaves 1 'json.dumps([asset(names[0], state=None)] + [asset(n) for n in names[1:]])'
# From standard input.
code=0
"$WHEELARCH" matrix --farm farm --existing - --output left.json <names >out 2>err || code=$?
[ "$code" = 0 ] && grep -qx "nothing to build" out || { cat out err >&2; fail "standard input"; }

fix="    fix: expected names, one a line, or JSON as \`gh release view TAG --json assets\` or \`gh api\` prints it; an empty file means that nothing exists"
refused() { # refused PYTHON PROBLEM
  lists "$1"
  rm -f left.json
  expect_exit 3 matrix --farm farm --existing assets --output left.json
  said >said_now
  expect_same said_now "what is said of $1" <<EOT2
error: --existing assets: $2
$fix
EOT2
  expect_no_file left.json
  expect_harmless out err
}
refused '"<!DOCTYPE html><html><body>Sign in</body></html>"' "the line '<!DOCTYPE html><html><body>Sign in</body></html>' is no name of an asset"
refused '"<html>"' "the line '<html>' is no name of an asset"
refused '"release not found\n"' "the line 'release not found' is no name of an asset"
refused '"gh: Not Found (HTTP 404)"' "the line 'gh: Not Found (HTTP 404)' is no name of an asset"
refused '"::error::x ##[group]\x1b[1m\n"' "the line ': :error::x # #[group]\x1b[1m' is no name of an asset"
refused '"v1.0\tLatest\tv1.0\t2026-01-01\n"' "the line 'v1.0\tLatest\tv1.0\t2026-01-01' is no name of an asset"
refused '"unauthorized\n"' "none of the 1 asset that it names is a wheel"
refused '"null"' "it is JSON, but no list of assets"
refused '"\"a.whl\""' "it is JSON, but no list of assets"
refused 'json.dumps({"message": "Bad credentials\n::error::x", "status": "401"})' "it is an error of the API: Bad credentials\n::error::x"
refused 'json.dumps([asset(n) for n in names]) + json.dumps({"message": "Server Error"})' "it is an error of the API: Server Error"
refused 'json.dumps({"assets": None})' "it is a JSON object without \`assets\`"
refused 'json.dumps({"data": []})' "it is a JSON object without \`assets\`"
refused 'json.dumps([1])' "an item of the list is no asset"
refused 'json.dumps([asset(n) for n in names])[:-1]' "it is no JSON, or cut short: incomplete JSON"
refused 'json.dumps([asset(n) for n in names])[:-30]' "it is no JSON, or cut short: incomplete JSON"
refused 'json.dumps([asset(n) for n in names]) + "gh: HTTP 502"' "it is no JSON, or cut short: syntax error"
refused 'json.dumps([{"tag_name": "v1", "name": "v1"}])' "an item of the list is no asset: it has no \`name\`, or is a release without its \`assets\`"
refused 'json.dumps([{"tagName": "v1", "name": "v1"}])' "an item of the list is no asset: it has no \`name\`, or is a release without its \`assets\`"
refused 'json.dumps([{"id": 1}])' "an item of the list is no asset: it has no \`name\`, or is a release without its \`assets\`"
refused 'json.dumps([{"name": "v1"}, {"name": "v2"}])' "none of the 2 assets that it names is a wheel"
refused '"[" * 100000' "it is no JSON, or cut short: too deep"
expect_exit 3 matrix --farm farm --existing missing --output left.json
expect_exit 3 matrix --farm farm --existing . --output left.json
