#!/usr/bin/env bash
# What would make key, matrix and plan answer wrongly without a word is refused.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm
first_row >row.json

# Two options cannot read the same standard input, and an empty one is no list.
expect_exit 2 key --farm farm --cell - --existing - <row.json
expect_line err "error: --cell and --existing cannot both read standard input"
expect_exit 2 matrix --farm farm --from - --existing - <all.json
expect_exit 3 matrix --farm farm --existing - </dev/null
expect_line err "error: --existing standard input: it is empty, as it is when the program before it in the pipe has failed"

# A filter that names nothing takes everything, as does `all`: a dispatch form sends both.
for empty in "" "," " , " all; do
  expect_exit 0 matrix --farm farm --existing nothing --package "$empty" --python "$empty" --output all-by-word.json
  cmp all.json all-by-word.json || fail "'$empty' is not all"
done

# Without the ledger nothing can be said to have drifted, or be carried.
record entries
for option in --check --changed-only; do
  expect_exit 3 plan --farm farm $option --branch wheel-leger
  grep -q '^error: there is no ledger to go by: no branch wheel-leger$' err || { cat err >&2; fail "no error"; }
done

# An entry whose list nobody can read would stop every plan.
sed 's/"arch_list": "[^"]*"/"arch_list": "8.0,9.0"/' entries/000000* >bad.ledger.json
expect_exit 3 ledger record bad.ledger.json --farm farm
expect_line err "error: bad.ledger.json: 'arch_list' is not an arch list or null"

# The ledger that moved between the plan and its commit: nothing is carried, and no matrix is left that relies on it.
git init -q --bare remote.git
git -C farm remote add origin ../remote.git
git -C farm push -q origin wheel-ledger
git clone -q remote.git other
expect_exit 0 plan --farm farm
sed 's/"size": 1/"size": 2/' entries/000000* >other.ledger.json
cmp -s entries/000000* other.ledger.json && sed 's/"nvcc": "12/"nvcc": "11/' entries/000000* >other.ledger.json
expect_exit 0 ledger record other.ledger.json --farm other --replace
set_epoch 2
expect_exit 3 plan --farm farm --changed-only --offline --output matrix.json
grep -q '^error: nothing was carried forward: the ledger has changed since the plan was made$' err || { cat err >&2; fail "no error"; }
[ ! -e matrix.json ] || fail "a matrix was written"
expect_exit 0 plan --farm farm --changed-only --output matrix.json
grep -q '^carried [0-9]* wheels forward' out || { cat out >&2; fail "not carried"; }

# The bump that was taken back: nothing goes by such a policy.
set_epoch 1
for command in "plan" "plan --check" "matrix --existing names" "key --cell row.json --existing names"; do
  # shellcheck disable=SC2086
  expect_exit 2 $command --farm farm
  grep -q '^error\[epoch-went-back\] ' err || { cat err >&2; fail "no error"; }
  grep -q 'is recorded for epoch 2, but the policy is at 1$' err || { cat err >&2; fail "no epochs"; }
done
