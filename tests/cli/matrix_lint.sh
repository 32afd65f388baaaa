#!/usr/bin/env bash
# matrix --lint: the packages that are in the matrix are linted first, for their rows in it; on an error there is none.
. "$(dirname "$0")/lib.sh"
mkdir -p farm/packages src/gated_pkg src/plain_pkg
cat >farm/packages/_defaults.yml <<'YAML'
combinations:
  - {cuda: "12.4", pytorch: "2.5.0", python_versions: ["3.12"]}
  - {cuda: "12.8", pytorch: "2.8.0", python_versions: ["3.12"]}
platforms: [linux]
arch_policy: {"12.4": "8.0;8.6", "12.8": "8.0;8.6;8.9"}
ptx_tail: false
YAML
for package in gated plain jit; do
  printf 'name: %s_pkg\nversion: "1.0"\nsource_repo: example-org/%s-pkg\n' $package $package >farm/packages/${package}_pkg.yml
done
echo 'jit: its kernels are compiled at run time' >>farm/packages/jit_pkg.yml
cp "$root/tests/nvcc/src/gated.cu" src/gated_pkg/
echo 'from setuptools import setup' >src/plain_pkg/setup.py
: >none

expect_exit 1 matrix --farm farm --existing none --lint --sources src --output matrix.json --json result.json
expect_empty err
expect_line out "gated_pkg  1 file from src/gated_pkg"
expect_line out "2 packages: 1 error, 0 warnings, 0 notices; 0 let pass"
expect_line out "error[arch-gate] gated_pkg: 8.9 is not declared for CUDA 12.4 (8.0;8.6): a device of 8.9 loads sm_86, where it is a stub"
! grep -qF 'CUDA 12.8' out || { cat out >&2; fail "12.8 has 8.9"; }
expect_no_file 'matrix*.json'
check_json result.json 'd["matrix"] is None and d["existing"] == 0 and "jobs" not in d' 'd["lint"]["errors"] == 1'

# Standard output is the matrix's, and empty where there is none.
expect_exit 1 matrix --farm farm --existing none --lint --sources src
expect_empty out
expect_line err "2 packages: 1 error, 0 warnings, 0 notices; 0 let pass"

# What is not to be built is not looked at: by a filter, or because the wheel exists.
expect_exit 0 matrix --farm farm --existing none --lint --sources src --package plain_pkg --output matrix.json --json result.json
expect_line out "2 jobs"
check_json result.json 'd["lint"]["errors"] == 0' '[p["package"] for p in d["lint"]["packages"]] == ["plain_pkg"]' \
  'len(d["matrix"]["linux"]["include"]) == 2'
echo gated_pkg-1.0+cu124torch2.5-cp312-cp312-linux_x86_64.whl >some
expect_exit 0 matrix --farm farm --existing some --lint --sources src --output matrix.json
expect_line out "5 jobs"
# An entry of lint_ignore for the row that exists is not stale by that.
echo 'lint_ignore: [{rule: arch-gate, reason: not for 12.4}]' >>farm/packages/gated_pkg.yml
expect_exit 0 matrix --farm farm --existing some --lint --sources src --output matrix.json
expect_line out "2 packages: 0 errors, 0 warnings, 0 notices; 0 let pass"
expect_exit 0 matrix --farm farm --existing none --lint --sources src --output matrix.json
expect_line out "2 packages: 0 errors, 0 warnings, 0 notices; 1 let pass"
sed -i '/lint_ignore/d' farm/packages/gated_pkg.yml

# The matrix of a generator of one's own.
python3 - <<'PYTHON' >own.json
import json
print(json.dumps({"include": [{"package": "gated_pkg", "cuda": cuda, "pytorch": torch, "python": "3.12", "platform": "linux"}
                              for cuda, torch in (("12.8", "2.8.0"), ("12.4", "2.5.0"))]}))
PYTHON
expect_exit 1 matrix --farm farm --from own.json --existing none --lint --sources src
expect_exit 0 matrix --farm farm --from own.json --existing some --lint --sources src

# Sources that are not there are no success, and nothing to build needs none.
rm -r src/plain_pkg
expect_exit 3 matrix --farm farm --existing some --lint --sources src
expect_error <<'TEXT'
error: --sources src has no folder for plain_pkg
    fix: name each folder as the package is named, or use --fetch
TEXT
expect_exit 0 matrix --farm farm --existing some --lint --sources gone --package jit_pkg --output matrix.json
for package in gated plain jit; do
  for row in cu124torch2.5 cu128torch2.8; do echo ${package}_pkg-1.0+$row-cp312-cp312-linux_x86_64.whl; done
done >all
expect_exit 0 matrix --farm farm --existing all --lint --sources gone --output matrix.json
expect_line out "nothing to build"

expect_exit 2 matrix --farm farm --existing none --lint
expect_error <<'TEXT'
error: lint needs sources: --sources DIR or --fetch
    fix: for example --sources checkouts, a folder with one folder of sources for each package
TEXT
expect_exit 2 matrix --farm farm --existing none --sources src
expect_error <<'TEXT'
error: --sources requires --lint
    fix: see wheelarch matrix --help
TEXT
