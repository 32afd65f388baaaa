# Shared by the scenarios of key, matrix and plan, which source it after lib.sh.
# shellcheck shell=bash disable=SC2034,SC2154
need git
for variable in $(env | sed -n 's/^\(\(GIT\|GH\|GITHUB\)_[A-Z_0-9]*\)=.*/\1/p'); do unset "$variable"; done
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$work/home/.gitconfig
mkdir -p "$HOME"
: >nothing # as a list of assets: none

# take_farm FOLDER: a copy of it at ./farm, with a repository of its own.
take_farm() {
  rm -rf farm && cp -r "$1" farm
  git init -q farm
}
small_farm() { take_farm "$root/tests/farm/${1:-flat}"; }
shared_farm=$root/../shared/farm
need_shared() { [ -d "$shared_farm" ] || skip "no ../shared/farm"; }
flat_farm() { need_shared && take_farm "$shared_farm/flat"; }

said() { # what the program said on standard error, but for the warnings on the farm's own policy
  python3 - err <<'PYTHON'
import sys
lines = open(sys.argv[1], encoding="utf-8").read().split("\n")[:-1]
for line, before in zip(lines, [""] + lines):
    if not any("[newer-cuda-narrower]" in text or "[cuda-lacks-arch]" in text for text in (line, before)):
        print(line)
PYTHON
}
expect_said() { said >said_now; expect_same said_now "what is said"; }
expect_quiet() { said >said_now; expect_empty said_now; }

matrix_of() { expect_exit 0 matrix --farm farm --all --output "$1" "${@:2}"; } # matrix_of FILE OPTION...
names_of() { python3 "$root/tests/cli/plan_entries.py" "$@"; }

# record FOLDER: its entries go to the farm's ledger.
record() { expect_exit 0 ledger collect "$1" --farm farm; }
# set_epoch N: of the whole flat farm, each bump for lists; packages may have their own.
set_epoch() {
  sed -i '/^build_epoch:/d; /^bumps:/d' farm/packages/_defaults.yml
  local number bumps=
  for number in $(seq 2 "$1"); do bumps+="$number: {rebuild: lists}, "; done
  sed -i "1i build_epoch: $1\nbumps: {$bumps}" farm/packages/_defaults.yml
}

# first_epoch_farm: the small farm with all packages at epoch 1. all.json is its whole matrix, entries/ has an entry for
# each of its wheels, and `names` their file names.
first_epoch_farm() {
  small_farm
  set_epoch 1
  sed -i '/^build_epoch/d' farm/packages/example_attn.yml
  matrix_of all.json
  names_of all.json entries >names
}
# first_row: the first Linux row of all.json, on one line.
first_row() { python3 -c 'import json; print(json.dumps(json.load(open("all.json"))["linux"]["include"][0]))'; }

# check_rows FILE EXPRESSION...: as check_json, with `rows` (all of them) and `keys` (their exists-check keys).
check_rows() {
  python3 - "$@" <<'PYTHON' || fail "the matrix is not as expected"
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    d = json.load(file)
rows = [row for rows in d.values() for row in rows["include"]]
keys = sorted({row["exists_key"] for row in rows})
failed = [e for e in sys.argv[2:] if not eval(e, {"d": d, "rows": rows, "keys": keys})]
for expression in failed:
    print("does not hold:", expression, file=sys.stderr)
if failed:
    print(len(rows), "rows", *keys[:40], sep="\n", file=sys.stderr)
sys.exit(bool(failed))
PYTHON
}
