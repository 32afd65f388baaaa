#!/usr/bin/env bash
# lint: a setup.py that overwrites the arch list is named, with the list that it would build; a default for it is not.
. "$(dirname "$0")/lib.sh"
mkdir -p farm/packages src/example/tests
cat >farm/packages/_defaults.yml <<'YAML'
combinations:
  - {cuda: "12.4", pytorch: "2.5.0", python_versions: ["3.12"]}
  - {cuda: "12.8", pytorch: "2.8.0", python_versions: ["3.12"]}
arch_policy: {"12.4": "8.0;8.6;9.0", "12.8": "3.7 7.5"}
ptx_tail: false
YAML
printf 'name: example\nsource_repo: example-org/example\n' >farm/packages/example.yml
cat >src/example/setup.py <<'PYTHON'
import os
os.environ["TORCH_CUDA_ARCH_LIST"] = "3.7+PTX;7.5"
PYTHON
cp src/example/setup.py src/example/tests/
expect_exit 1 lint --farm farm --sources src
expect_output <<'TEXT'
example  1 file from src/example
  left out: tests/
  none is C, C++ or CUDA: no device code was looked at. Are the submodules checked out?
error[arch-list-override] example: sets the arch list, whatever is asked for; the build has 3.7+PTX;7.5 (sm_37 sm_75 compute_37), which is not what is declared: CUDA 12.4 (8.0;8.6;9.0), CUDA 12.8 (3.7 7.5)
    setup.py:2:12  "os.environ["TORCH_CUDA_ARCH_LIST"] = "3.7+PTX;7.5""
    fix: take it out of the sources by a patch, or declare with expect_archs what the binary holds
    or: lint_ignore: [{rule: arch-list-override, path: "/setup.py", reason: "…"}] in the package's YAML lets it pass
1 package: 1 error, 0 warnings, 0 notices; 0 let pass
TEXT

# It fits the rows of one CUDA line, and not the other's.
sed -i 's/+PTX//' src/example/setup.py
expect_exit 1 lint example --farm farm --sources src --json lint.json --sarif lint.sarif
check_json lint.json 'd["errors"] == 1' 'd["packages"][0]["findings"][0]["rows"] == ["CUDA 12.4"]' \
  'd["packages"][0]["findings"][0]["line"] == 2' 'd["packages"][0]["skipped"][0]["path"] == "tests/"' \
  '[x["rows"] for x in d["packages"][0]["declared"]] == ["CUDA 12.4", "CUDA 12.8"]'
check_json lint.sarif 'd["version"] == "2.1.0"' 'len(d["runs"][0]["results"]) == 1' \
  'd["runs"][0]["results"][0]["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "src/example/setup.py"}, "region": {"startLine": 2}}'

# Both ways out.
echo 'lint_ignore: [{rule: arch-list-override, path: setup.py, reason: the recipe takes it out}]' >>farm/packages/example.yml
expect_exit 0 lint --farm farm --sources src
expect_output <<'TEXT'
example  1 file from src/example
  left out: tests/
  none is C, C++ or CUDA: no device code was looked at. Are the submodules checked out?
  let pass: arch-list-override setup.py:2:12: the recipe takes it out
1 package: 0 errors, 0 warnings, 0 notices; 1 let pass
TEXT
sed -i 's/\["TORCH_CUDA_ARCH_LIST"\] = \(.*\)$/.setdefault("TORCH_CUDA_ARCH_LIST", \1)/' src/example/setup.py
expect_exit 0 lint --farm farm --sources src
expect_output <<'TEXT'
example  1 file from src/example
  left out: tests/
  none is C, C++ or CUDA: no device code was looked at. Are the submodules checked out?
warning[stale-ignore] example: lint_ignore of arch-list-override in setup.py lets nothing pass any more
    farm/packages/example.yml:3:15
    fix: take the entry out, or correct its path
1 package: 0 errors, 1 warning, 0 notices; 0 let pass
TEXT
expect_exit 0 lint --farm farm --sources src --json -
check_json out 'd["warnings"] == 1'
