#!/usr/bin/env bash
# An answer of gh that could not be had is exit 3 and no matrix, never "no wheels"; it is said what gh said.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/gh_lib.sh"
small_farm
sed -i '/^build_epoch/d' farm/packages/*.yml
matrix_of all.json
names_of all.json >names
ask=(matrix --farm farm --repo example-org/farm --package example-attn --output found.json)

fix_token="    fix: name the repository with --repo OWNER/NAME, give gh a token in GH_TOKEN that may read it, or save the list in a step of your own and give it with --existing FILE"
fix_passing="    fix: try again: the server or the network failed; if it stays so, check GH_HOST and the proxy, or save the list in a step of your own and give it with --existing FILE"
unanswered() { # unanswered PYTHON <WANTED: what the server says, and what is said of it
  says "$1"
  expect_exit 3 "${ask[@]}"
  expect_said
  expect_empty out
  expect_no_file 'found*.json'
  expect_no_command out err
}
fault() { unanswered "{'releases': {'example_attn-latest': of('example_attn')}, 'faults': {$1}}"; } # fault PYTHON <WANTED

# The repository is not there, or not for this token: GitHub says the same as for a release that is not there.
unanswered '{"repository": False}' <<EOT2
error: gh failed with exit code 1: gh: Not Found (HTTP 404), asked for the repository
$fix_token
EOT2
fault '"/tags/": {"status": 500, "body": json.dumps({"message": "no luck"})}' <<EOT2
error: gh failed with exit code 1: gh: no luck (HTTP 500), asked for example_attn-latest
$fix_passing
EOT2
# Words that look like another answer are but words.
fault '"/tags/": {"status": 500, "body": json.dumps({"message": "(HTTP 404)"})}' <<EOT2
error: gh failed with exit code 1: gh: (HTTP 404) (HTTP 500), asked for example_attn-latest
$fix_passing
EOT2
fault '"/tags/": {"status": 403, "body": json.dumps({"message": "API rate limit exceeded\n::error::x\x1b[31m##[error]"})}' <<EOT2
error: gh failed with exit code 1: gh: API rate limit exceeded\n::error::x^[[31m# #[error] (HTTP 403), asked for example_attn-latest
$fix_token
EOT2
fault '"/tags/": {"status": 401, "body": json.dumps({"message": "Bad credentials"})}' <<EOT2
error: gh failed with exit code 1: gh: Bad credentials (HTTP 401), asked for example_attn-latest
$fix_token
EOT2
fault '"/tags/": {"status": 502, "type": "text/html", "body": html}' <<EOT2
error: gh failed with exit code 1: gh: HTTP 502, asked for example_attn-latest
$fix_passing
EOT2

# Not what it should be, though gh is content with it.
no_release() {
  fault "\"/tags/\": $1" <<EOT2
error: gh's answer about the release example_attn-latest is no release
    fix: check GH_HOST and the proxy, or save the list in a step of your own and give it with --existing FILE
EOT2
}
no_release '{"type": "text/html", "body": html}'
no_release '{"body": json.dumps({"message": "Not Found"})}'
no_release '{"body": "[]"}'
no_release '{"body": ""}'
no_release '{"body": json.dumps({"id": "1; rm", "assets": []})}'
fix_list="    fix: expected names, one a line, or JSON as \`gh release view TAG --json assets\` or \`gh api\` prints it; an empty file means that nothing exists"
no_list() { # no_list PYTHON PROBLEM
  fault "\"/assets\": $1" <<EOT2
error: gh's list of the release example_attn-latest: $2
$fix_list
EOT2
}
no_list '{"type": "text/html", "body": html}' "it is no JSON, or cut short: syntax error"
no_list '{"body": json.dumps({"message": "Server Error"})}' "it is an error of the API: Server Error"
no_list '{"body": json.dumps({"name": of("example_attn")[0]})}' "it is a JSON object without \`assets\`"
no_list '{"body": json.dumps([{"name": n} for n in of("example_attn")])[:-20]}' "it is no JSON, or cut short: incomplete JSON"
no_list '{"body": json.dumps([{"tag_name": "v1", "name": "v1"}])}' "an item of the list is no asset: it has no \`name\`, or is a release without its \`assets\`"

# Half a list: the release itself names more assets than the pages have.
fix_half="    fix: try again: the list was cut short, or assets were being deleted"
unanswered '{"releases": {"example_attn-latest": of("example_attn")}, "hidden": {"example_attn-latest": 3}}' <<EOT2
error: gh listed 3 assets of the release example_attn-latest, which has 8
$fix_half
EOT2
fault '"/assets": {"body": "[]"}' <<EOT2
error: gh listed 0 assets of the release example_attn-latest, which has 8
$fix_half
EOT2
unanswered '{"releases": {"example_attn-latest": of("example_attn") + [f"{i}.whl" for i in range(200)]}, "hidden": {"example_attn-latest": 100}}' <<EOT2
error: gh listed 100 assets of the release example_attn-latest, which has 208
$fix_half
EOT2
# The second page fails.
says '{"releases": {"example_attn-latest": [f"{i}.whl" for i in range(200)] + of("example_attn")}, "faults": {"page=2": {"status": 504, "body": "{}"}}}'
expect_exit 3 "${ask[@]}"
grep -q '^error: gh.s list of the release example_attn-latest: gh failed with exit code 1: ' err || { said >&2; fail "what failed?"; }
# The connection breaks off in the middle of an answer.
for path in /tags/ /assets; do
  says '{"releases": {"example_attn-latest": of("example_attn")}, "faults": {"'$path'": {"body": json.dumps([{"name": n} for n in names]), "cut": 100}}}'
  expect_exit 3 "${ask[@]}"
  grep -q '^error: .*gh failed with exit code 1: ' err || { said >&2; fail "what failed?"; }
done
expect_no_file 'found*.json'

# key and plan fail in the same way.
says '{"repository": False}'
python3 -c 'import json; print(json.dumps(json.load(open("all.json"))["linux"]["include"][0]))' >row.json
expect_exit 3 key --farm farm --repo example-org/farm --cell row.json --json key.json
expect_no_file key.json
expect_exit 3 plan --farm farm --repo example-org/farm --gh --output found.json --json plan.json
expect_no_file plan.json 'found*.json'

# Nobody is logged in: gh says so itself, with an exit code of its own.
unset GH_TOKEN
expect_exit 3 "${ask[@]}"
said >said_now
head -1 said_now | grep -q '^error: gh failed with exit code 4: .*\(gh auth login\|GH_TOKEN\)' || { cat said_now >&2; fail "not logged in"; }
export GH_TOKEN=secret-token
# Nobody says which repository.
expect_exit 3 matrix --farm farm --package example-attn --output found.json
said >said_now
head -1 said_now | grep -q '^error: nobody says whose releases are meant: ' || { said >&2; fail "which repository?"; }
expect_exit 2 matrix --farm farm --repo '../../x' --output found.json
expect_said <<'EOT2'
error: '../../x' is no repository
    fix: expected OWNER/NAME
EOT2
# The server is not there.
kill "$server"
rm socket
expect_exit 3 "${ask[@]}"
grep -q '^error: gh failed with exit code 1: ' err || { said >&2; fail "no server"; }
# gh is not there, or falls over.
mkdir bin
PATH=$work/bin run "${ask[@]}"
[ "$code" = 3 ] || fail "exit $code without gh"
expect_said <<'EOT2'
error: gh was not found, so nobody can say which wheels exist
    fix: install it (apt-get install gh), or save the list in a step of your own and give it with --existing FILE
EOT2
printf '#!/bin/sh\nkill -SEGV $$\n' >bin/gh
chmod +x bin/gh
PATH=$work/bin run "${ask[@]}"
[ "$code" = 3 ] || fail "exit $code though gh crashed"
expect_said <<EOT2
error: gh crashed, asked for example_attn-latest
$fix_token
EOT2
expect_no_file 'found*.json'
