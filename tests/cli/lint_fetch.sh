#!/usr/bin/env bash
# lint --fetch: sources by git, one tree for each source tag of the rows, each held against its own rows.
. "$(dirname "$0")/lib.sh"
need git
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=nobody GIT_AUTHOR_EMAIL=nobody@localhost GIT_COMMITTER_NAME=nobody
export GIT_COMMITTER_EMAIL=nobody@localhost
git init --quiet --initial-branch=main up
git -C up config uploadpack.allowAnySHA1InWant true
echo 'import os' >up/setup.py
git -C up add . && git -C up commit --quiet -m one && git -C up tag v1
echo 'os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"' >>up/setup.py
git -C up commit --quiet -a -m two && git -C up tag v2
mkdir -p farm/packages
cat >farm/packages/_defaults.yml <<'YAML'
combinations: [{cuda: "12.4", pytorch: "2.5.0", python_versions: ["3.12"]}]
arch_policy: {"12.4": "8.0;9.0"}
ptx_tail: false
YAML
cat >farm/packages/example.yml <<YAML
source_repo: file://$work/up
source_tag: v1
build_matrix:
  python_versions: ["3.12"]
  combinations:
    - {cuda: "12.4", pytorch: "2.5.0"}
    - {cuda: "12.8", pytorch: "2.8.0", arch_list: "8.0;12.0", source_tag: v2}
YAML
sed -i '1i arch_list: "8.0;9.0"' farm/packages/example.yml
one=$(git -C up rev-parse v1)
two=$(git -C up rev-parse v2)
expect_exit 1 lint --farm farm --fetch --cache kept --json lint.json
expect_line out "example  2 files from file://$work/up v1 ($one) v2 ($two)"
check_json lint.json 'd["errors"] == 1' 'd["packages"][0]["findings"][0]["rows"] == ["CUDA 12.8"]'
[ "$(cat kept/*/"$one"/setup.py)" = 'import os' ] || fail "the tree of v1"

# What was fetched is kept by commit.
before=$(stat -c %i kept/*/"$one"/setup.py)
expect_exit 1 lint --farm farm --fetch --cache kept
[ "$(stat -c %i kept/*/"$one"/setup.py)" = "$before" ] || fail "fetched again"
expect_no_file 'kept/*/*.tree'

sed -i 's/v2/v3/' farm/packages/example.yml
expect_exit 3 lint --farm farm --fetch --cache kept
expect_line err "error: example → file://$work/up at v3: there is no tag or branch 'v3'"
