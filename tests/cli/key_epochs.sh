#!/usr/bin/env bash
# A wheel exists if it is not behind the current epoch; its own is what the ledger says, 1 where that says nothing.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm
first_row >row.json
wheel=$(head -1 names)
text=example_attn-2.8.3+cu128torch2.7-cp312-linux
exists() { # exists WORDS OPTION...: what key says of the first wheel, and that matrix agrees
  expect_exit 0 key --farm farm --cell row.json --existing names --json key.json "${@:2}"
  grep '^  exists ' out >exists
  expect_same exists "exists" <<<"  exists    $1"
  expect_exit 0 matrix --farm farm --existing names --from row-matrix.json --json matrix.json "${@:2}"
  check_json matrix.json 'd["jobs"] == (0 if "'"${1%%:*}"'" == "yes" else 1)'
}
echo "[$(cat row.json)]" >row-matrix.json
no_ledger() { # no_ledger NAME: of it
  expect_said <<EOT2
warning[no-ledger] there is no ledger: no branch $1
    fix: every wheel counts as of epoch 1 and with an unknown list; name it with --branch and --remote if there is one
EOT2
}

# At the first epoch the ledger has no say, and need not be there.
exists "yes: $wheel, at epoch 1"
rm -rf farm/.git
exists "yes: $wheel, at epoch 1"
set_epoch 2
expect_exit 3 key --farm farm --cell row.json --existing names
grep -q '^error: farm: not in a git repository$' err || { cat err >&2; fail "no repository"; }
expect_exit 3 matrix --farm farm --existing names
expect_exit 0 key --farm farm --cell row.json --key-only
expect_line out "$text@epoch2"

# No ledger yet, and no entry of this wheel: epoch 1.
git init -q farm
expect_exit 0 key --farm farm --cell row.json --existing names
no_ledger wheel-ledger
exists "no: $wheel is at epoch 1, behind 2"
record entries
exists "no: $wheel is at epoch 1, behind 2"
expect_exit 0 key --farm farm --cell row.json --existing names
expect_empty err

# A wheel that was built at the epoch; one that a plan carried forward, which its record shows.
sed -i 's/"build_epoch": 1/"build_epoch": 2/; s/@epoch1/@epoch2/' entries/000000.ledger.json
expect_exit 0 ledger collect entries --replace --farm farm
exists "yes: $wheel, at epoch 2"
set_epoch 3
exists "no: $wheel is at epoch 2, behind 3"
expect_exit 0 plan --farm farm --changed-only --existing names
exists "yes: $wheel, at epoch 3"
git -C farm show "wheel-ledger:example_attn/$wheel.json" >entry.json
check_json entry.json 'd["build_epoch"] == 2 and d["valid_for_epoch"] == {"farm": 3, "package": 0}'
expect_exit 0 matrix --farm farm --existing names --json matrix.json
check_json matrix.json 'd["jobs"] == 0'
# The record has another spelling of the name: it is the same wheel.
sed 's/manylinux_2_28_x86_64/manylinux_2_28_x86_64.manylinux_2_27_x86_64/' names >other
expect_exit 0 key --farm farm --cell row.json --existing other
expect_exit 0 matrix --farm farm --existing other --json matrix.json

# A package has an epoch of its own, which is another counter.
sed -i '1i build_epoch: 1' farm/packages/example_attn.yml
exists "no: $wheel is at epoch 3, behind 3+pkg1"
expect_exit 0 matrix --farm farm --existing names --output left.json
check_rows left.json 'len(keys) == 8 and all(key.startswith("example_attn-") and key.endswith("@epoch3+pkg1") for key in keys)'
sed -i '/^build_epoch/d' farm/packages/example_attn.yml

# Whose ledger: that of a remote is fetched, unless it is to go by what is here.
git clone -q --bare farm remote.git
git -C remote.git branch -q main wheel-ledger
git clone -q --branch main "file://$work/remote.git" clone 2>/dev/null
git -C clone rm -rq . && cp -r farm/packages farm/scripts clone/
mv farm alone && mv clone farm
git -C farm update-ref -d refs/remotes/origin/wheel-ledger
exists "no: $wheel is at epoch 1, behind 3" --offline
expect_exit 0 key --farm farm --cell row.json --existing names --offline
no_ledger "wheel-ledger of origin"
exists "yes: $wheel, at epoch 3"
mv remote.git gone.git
expect_exit 3 key --farm farm --cell row.json --existing names
exists "yes: $wheel, at epoch 3" --offline
expect_exit 0 key --farm farm --cell row.json --existing names --branch other --offline
no_ledger "other of origin"
