#!/usr/bin/env bash
# The action, the workflows and every script are sound, by the tools that others will judge them with.
. "$(dirname "$0")/lib.sh"
cd "$root"
PATH=$venv/bin:$tools:$PATH
need actionlint zizmor check-jsonschema shellcheck git

check() { # check COMMAND...: its output is shown if it fails
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }
}
check check-jsonschema --builtin-schema vendor.github-actions action.yml
check check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml docs/examples/*.yml tests/action/workflow*.yml
check check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
check check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
forms=()
for file in .github/ISSUE_TEMPLATE/*.yml; do [ "$file" = .github/ISSUE_TEMPLATE/config.yml ] || forms+=("$file"); done
check check-jsonschema --builtin-schema vendor.github-issue-forms "${forms[@]}"
version=$(sed -nE 's/^project\(wheelarch VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
grep -m 1 '^## ' CHANGELOG.md | grep -qF "$version" || fail "CHANGELOG.md does not begin with $version, the version in CMakeLists.txt"
check actionlint .github/workflows/*.yml docs/examples/*.yml tests/action/workflow*.yml
check zizmor --offline --no-progress --persona=pedantic action.yml .github docs/examples/*.yml
# The examples run only where they were copied to.
compgen -G ".github/workflows/example*" >/dev/null && fail "an example would run in each copy of this repository"
# What git has, or without a repository what lies here: the scripts, and the libraries that they source.
scripts=()
while read -r file; do
  if head -n 5 "$file" | grep -qE '^#!.*sh$|^# shellcheck shell='; then scripts+=("$file"); fi
done < <(git ls-files .ci docs tests 2>/dev/null || find .ci docs tests -type f)
[ ${#scripts[@]} -gt 100 ] || fail "only ${#scripts[@]} scripts were found"
check shellcheck "${scripts[@]}"
# The launcher, which actionlint does not look into.
"$venv/bin/python" - "$work" <<'PYTHON' || fail "action.yml has no step for sh"
import sys
from ruamel.yaml import YAML
steps = [s for s in YAML(typ="safe").load(open("action.yml"))["runs"]["steps"] if s.get("shell") == "sh"]
for i, step in enumerate(steps):
    open(f"{sys.argv[1]}/step{i}.sh", "w").write(step["run"])
sys.exit(not steps)
PYTHON
check shellcheck --shell=sh "$work"/step*.sh
