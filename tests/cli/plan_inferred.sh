#!/usr/bin/env bash
# plan: a wheel whose list nobody knows (inferred, or only published) never counts as unchanged.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
first_epoch_farm
sed -i 's/"provenance": "recorded"/"provenance": "inferred"/; s/"arch_list": "[^"]*"/"arch_list": null/' entries/00000[01]*
record entries
counts() { check_json plan.json "[n for state, n in d['counts'].items() if state != 'replaced'] == [$(echo "$*" | tr ' ' ,)]"; } # MISSING STALE CURRENT DRIFTED ORPHAN REBUILD CARRY
expect_exit 0 plan --farm farm --check --json plan.json
counts 0 0 21 0 0 0 0
grep -qx '         2 current  at the epoch, but its list is not known' out || { cat out >&2; fail "not said"; }
set_epoch 2
expect_exit 0 plan --farm farm --changed-only --json plan.json
counts 0 21 0 0 0 2 19
grep -qx '         2 stale    epoch 1 is behind 2, and its list is not known' out || { cat out >&2; fail "not said"; }
check_json plan.json '[(c["platform"], c["recorded"], c["rebuild"], c["carry"]) for c in d["cells"]][:3] == [("linux", None, True, False), ("linux_aarch64", "8.0;9.0;10.0", False, True), ("linux", None, True, False)]'
expect_exit 0 plan --farm farm --changed-only --json plan.json
counts 0 2 19 0 0 2 0

# Published, but not recorded: at epoch 1. --existing tells plan of them.
rm -rf farm/.git && git init -q farm
expect_exit 0 plan --farm farm --changed-only --existing names --json plan.json
counts 0 21 0 0 0 21 0
set_epoch 1
expect_exit 0 plan --farm farm --existing names --json plan.json
counts 0 0 21 0 0 0 0
head -5 names >some
expect_exit 0 plan --farm farm --existing some --json plan.json
counts 16 0 5 0 0 16 0
expect_exit 3 plan --farm farm --existing missing --json plan.json
# Where it is known what is published, a record alone is no wheel.
names_of all.json entries >/dev/null
record entries
expect_exit 0 plan --farm farm --existing some --json plan.json
counts 16 0 5 0 0 16 0
grep -qx '        16 missing  recorded, but not among the assets' out || { cat out >&2; fail "not said"; }
