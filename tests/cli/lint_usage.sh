#!/usr/bin/env bash
# lint: what cannot be done is said; nothing to look at is no success.
. "$(dirname "$0")/lib.sh"
mkdir -p farm/packages empty
echo 'combinations: [{cuda: "12.4", pytorch: "2.5.0", python_versions: ["3.12"]}]' >farm/packages/_defaults.yml
printf 'arch_policy: {"12.4": "8.0"}\n' >>farm/packages/_defaults.yml
printf 'source_repo: example-org/example\nlint_ignore: [{rule: arch-gats, reason: x}]\n' >farm/packages/example.yml

expect_exit 2 lint --farm farm
expect_error <<'TEXT'
error: lint needs sources: --sources DIR or --fetch
    fix: for example --sources checkouts, a folder with one folder of sources for each package
TEXT
expect_exit 3 lint --farm farm --sources empty
expect_error <<'TEXT'
error: --sources empty has no folder for example
    fix: name each folder as the package is named, or use --fetch
TEXT
expect_exit 3 lint --farm farm --sources gone
expect_error <<'TEXT'
error: cannot list --sources gone: No such file or directory
    fix: give a folder with one folder of sources for each package
TEXT
expect_exit 2 lint exampel --farm farm --sources empty
mkdir empty/Example
expect_exit 3 lint --farm farm --sources empty
expect_error <<'TEXT'
error: example: there is no source or build file in empty/Example
    fix: check the sources out, with their submodules; vendored trees are looked at with --everything
TEXT
: >empty/Example/setup.py
expect_exit 2 lint --farm farm --sources empty
expect_error <<'TEXT'
error: farm/packages/example.yml:2:15: lint_ignore names "arch-gats", which is no lint rule
    fix: did you mean arch-gate?
TEXT
expect_exit 2 lint --explain arch-gat
expect_error <<'TEXT'
error: there is no rule 'arch-gat'
    fix: did you mean arch-gate?
TEXT
expect_exit 0 lint --explain arch-gate
expect_exit 0 lint --explain all
for rule in arch-gate fp8-type explicit-target feature-macro arch-list-override; do
  grep -q "^$rule " out || fail "no rule $rule"
done
