#!/usr/bin/env bash
# key, matrix and plan ask the real gh which wheels exist: all pages, finished uploads only, and no more than they need.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/gh_lib.sh"
small_farm
sed -i '/^build_epoch/d' farm/packages/*.yml
matrix_of all.json
names_of all.json >names
gh=(--farm farm --repo example-org/farm)

# No release at all, in a repository that is there: nothing exists. It is asked for once.
says '{"releases": {}}'
expect_exit 0 matrix "${gh[@]}" --output found.json
cmp found.json all.json || fail "all rows should be left"
expect_quiet
asked >paths
expect_same paths "requests" <<'EOT2'

/releases/tags/example_attn-latest
/releases/tags/example_cpu-latest
/releases/tags/example_rows-latest
EOT2
grep -q ' token secret-token$' says.json.log || { cat says.json.log >&2; fail "no token"; }

# Everything is there, on several pages: nothing to build.
says '{"releases": {p + "-latest": [f"other-{i}.whl" for i in range(230)] + of(p) for p in ("example_attn", "example_cpu", "example_rows")}}'
expect_exit 0 matrix "${gh[@]}" --output found.json --json result.json
grep -qx "nothing to build" out || { cat out >&2; fail "what is to be built?"; }
check_json result.json 'd["jobs"] == 0 and d["pages"] == 0 and d["existing"] == 29'
[ "$(asked | grep -c '/assets?per_page=100$')" = 3 ] || { asked >&2; fail "not 100 assets a page"; }
[ "$(asked | grep -c '/assets?per_page=100&page=3$')" = 3 ] || { asked >&2; fail "not all pages"; }

# What is not uploaded to the end does not exist, and is named.
says '{"releases": {"example_attn-latest": [{"name": of("example_attn")[0], "state": "starter", "size": 0}] + of("example_attn")[1:]}}'
expect_exit 0 matrix "${gh[@]}" --package example-attn --output found.json
check_rows found.json 'keys == ["example_attn-2.8.3+cu128torch2.7-cp312-linux@epoch1"]'
expect_said <<EOT2
warning[unfinished-upload] 1 asset was not uploaded to the end and does not count: $(head -1 names)
    fix: delete them from the release, or their names stay taken
EOT2
[ "$(asked | cut -d/ -f1-4 | sort -u)" = "$(printf '%s\n' /releases/100/assets?per_page=100 /releases/tags/example_attn-latest)" ] ||
  { asked >&2; fail "other packages were asked for"; }

# key asks for one release.
says '{"releases": {"example_attn-latest": of("example_attn"), "example_cpu-latest": []}}'
python3 -c 'import json; print(json.dumps(json.load(open("all.json"))["linux"]["include"][0]))' >row.json
expect_exit 0 key "${gh[@]}" --cell row.json --json key.json
check_json key.json 'd["exists"] is True and d["asset"] == "'"$(head -1 names)"'" and d["asset_epoch"] == 1'
! grep -q example_cpu says.json.log || fail "another release was asked for"

# A release of 1,000 assets, GitHub's limit.
says '{"releases": {"example_attn-latest": of("example_attn") + [f"example_attn-1.{i}+cu128torch2.7-cp312-cp312-linux_x86_64.whl" for i in range(1000 - len(of("example_attn")))]}}'
expect_exit 0 key "${gh[@]}" --cell row.json
grep -qxF "  exists    yes: $(head -1 names), at epoch 1" out || { cat out >&2; fail "not found among 1,000"; }
[ "$(asked | grep -c '/assets')" = 10 ] || { asked >&2; fail "not ten pages"; }

# plan goes by the ledger alone unless it is told to ask; then wheels without a record are at epoch 1.
: >says.json.log
expect_exit 0 plan --farm farm --json plan.json
expect_empty says.json.log
check_json plan.json 'd["counts"]["missing"] == 21'
expect_exit 0 plan "${gh[@]}" --gh --json plan.json
check_json plan.json 'd["counts"]["missing"] == 21 - 8 and d["counts"]["current"] == 8' \
  '[c["recorded"] for c in d["cells"] if c["state"] == "current"] == [None] * 8'
set_epoch 2
expect_exit 0 plan "${gh[@]}" --gh --json plan.json
check_json plan.json 'd["counts"]["stale"] == 8'

# The token of the action serves where gh has none of its own; GH_REPO names the repository, as for gh itself.
set_epoch 1
unset GH_TOKEN
export WHEELARCH_TOKEN=action-token
rm says.json.log
GH_REPO=example-org/farm expect_exit 0 key --farm farm --cell row.json
[ "$(sed 's/^[^ ]* //' says.json.log | sort -u)" = "token action-token" ] || { cat says.json.log >&2; fail "not the token"; }
! grep -rq action-token out err key.json || fail "the token was shown"
