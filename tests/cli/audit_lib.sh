# Shared by the scenarios of audit, which source it after lib.sh and plan_lib.sh.
# shellcheck shell=bash disable=SC2034,SC2154
need_fixtures
need git

# made_farm: ./made has the farm of audit_farm.py. It takes some seconds, so the scenarios share one.
made_farm() { python3 "$root/tests/cli/audit_farm.py" "$WHEELARCH" "$fixtures" "$work/made" >made.log 2>&1 || { cat made.log >&2; fail "no farm"; }; }
audit() { expect_exit "$1" audit --witness native --farm made/farm "${@:2}"; } # audit CODE ARGUMENT...

# check_verdicts JSON: each wheel's verdict and the rules of its errors are those of expected.json, one by one.
check_verdicts() {
  python3 - "$1" made/expected.json <<'PYTHON' || fail "verdicts differ"
import json, os, sys
found, expected = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
wrong = 0
for result in found["results"]:
    name = os.path.basename(result["file"])
    rules = sorted({f["rule"] for f in result["findings"] if f["severity"] == "error"})
    if [result["verdict"], rules] != expected.pop(name):
        wrong += 1
        print(json.dumps(result, indent=1), file=sys.stderr)
print(f"{wrong} wrong, {len(expected)} not judged", file=sys.stderr)
sys.exit(wrong > 0 or len(expected) > 0)
PYTHON
}
