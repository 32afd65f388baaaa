#!/usr/bin/env bash
# assert --cell --farm: the policy says what the wheel must hold; a row that says something else is a finding.
. "$(dirname "$0")/lib.sh"
need_fixtures
mkdir -p farm/packages
cat >farm/packages/_defaults.yml <<'YAML'
build_epoch: 2
combinations:
  - {cuda: "12.8", pytorch: "2.8.0", python_versions: ["3.12"]}
  - {cuda: "13.0", pytorch: "2.9.0", python_versions: ["3.12"]}
arch_policy:
  "12.8": "8.0;9.0"
  "13.0": "8.0;9.0+PTX"
YAML
policy() { # policy YAML: of the package
  printf 'name: pkg\nsource_repo: example-org/pkg\nsource_tag: v1\nversion: "1.0"\n%s\n' "$1" >farm/packages/pkg.yml
}
row() { # row [PYTHON]: the row of CUDA 13.0, changed
  python3 - "${1:-}" <<'PYTHON' >row.json
import json, sys
row = {"package": "pkg", "version": "1.0", "cuda": "13.0", "pytorch": "2.9.0", "python": "3.12", "platform": "linux",
       "arch_list": "8.0;9.0+PTX", "build_epoch": 2}
exec(sys.argv[1])
print(json.dumps(row))
PYTHON
}
judged() { # judged EXIT VERDICT [PYTHON...]
  expect_exit "$1" assert --witness native --farm farm --cell row.json --json result.json $wheel
  check_json result.json "d['verdict'] == '$2'" "${@:3}"
}
findings() { grep -A1 '^error\[' out >findings || true; expect_same findings "findings"; }
where="pkg 1.0, CUDA 13.0, torch 2.9.0, Python 3.12, linux"
anew="    fix: make the matrix anew from this policy, or check out the policy that the matrix was made from"

# The row agrees, or leaves it to the policy.
wheel compress_size.so=pkg/_C.so # sm_80 sm_90 compute_90
policy ""
for change in '' 'row["arch_list"] = "9.0+PTX 8.0"' 'del row["arch_list"]' 'row["arch_list"] = None' 'del row["build_epoch"]' 'row["package"] = "Pkg"; row["package"] = "pkg"'; do
  row "$change"
  judged 0 match 'd["requested"]["sass"] == ["sm_80", "sm_90"] and d["requested"]["ptx"] == ["compute_90"]'
done
# Another row of the same policy asks for another wheel.
row 'row["cuda"] = "12.8"; row["pytorch"] = "2.8.0"; row["arch_list"] = "8.0;9.0+PTX"'
judged 0 match
sed -i '/^arch_policy:/i ptx_tail: false' farm/packages/_defaults.yml
row 'row["cuda"] = "12.8"; row["pytorch"] = "2.8.0"; del row["arch_list"]'
judged 1 mismatch 'd["extra"]["ptx"] == ["compute_90"] and d["missing"] == {"sass": [], "ptx": []}'

# The row has another list or epoch than the policy.
row 'row["arch_list"] = "8.0;9.0"'
judged 1 refused '[f["rule"] for f in d["findings"]] == ["row-arch-list"]'
findings <<EOT2
error[row-arch-list] $where: the matrix row has arch_list 8.0;9.0, the policy 8.0;9.0+PTX (arch_policy['13.0'] in farm/packages/_defaults.yml:8)
$anew
EOT2
row 'row["build_epoch"] = 1'
judged 1 refused '[f["rule"] for f in d["findings"]] == ["row-epoch"]'
findings <<EOT2
error[row-epoch] $where: the matrix row has build_epoch 1, the policy 2
$anew
EOT2
row 'row["build_epoch"] = 3; row["arch_list"] = "8.6"'
judged 1 refused 'sorted(f["rule"] for f in d["findings"]) == ["row-arch-list", "row-epoch"]'

# What the package says of its binary.
row
policy 'expect_archs: "8.0;9.0"'
judged 1 mismatch 'd["extra"]["ptx"] == ["compute_90"]' 'd["requested"]["ptx"] == []'
policy $'expect_archs_by_cuda:\n  "12.8": "8.0"\n  "13.0": "8.0;9.0+PTX"\nexpect_archs: "8.6"'
judged 0 match
policy 'device_code: none'
judged 1 mismatch
wheel plain_host.so=pkg/_C.so
judged 0 match
policy ''
judged 1 mismatch 'd["missing"]["sass"] == ["sm_80", "sm_90"]'
wheel compress_size.so=pkg/_C.so ext_90a.so=pkg/_hopper_90a.so
judged 1 mismatch 'd["extra"]["sass"] == ["sm_90a"]'
policy $'expect_members:\n  "pkg/_hopper*.so": "8.0;9.0a+PTX"'
judged 0 match
policy $'expect_members:\n  "pkg/_hopper*.so": "8.0;9.0"'
judged 1 mismatch
wheel compress_size.so=pkg/_C.so
policy $'expect_members:\n  "pkg/_hopper*.so": "8.0;9.0a+PTX"'
expect_exit 1 assert --witness native --farm farm --cell row.json $wheel

refused() { # refused EXIT FIRST_LINE: it could not be judged
  expect_exit "$1" assert --witness native --farm farm --cell row.json $wheel
  expect_empty out
  head -1 err >first
  expect_same first "first line" <<<"$2"
}
policy ''
row 'row["package"] = "pgk"'
refused 2 'error: the farm farm has no package "pgk"'
row 'del row["platform"]'
refused 2 "error: the matrix row has no 'platform', which the policy goes by"
row 'row["cuda"] = "12.4"'
refused 2 "error: no arch list for pkg 1.0, CUDA 12.4, torch 2.9.0, Python 3.12, linux"
row
policy 'arch_list: "7.0;8.0"'
refused 2 "error: arch_list in farm/packages/pkg.yml:5: $where: CUDA 13.0 has no target for 7.0 (sm_70); CUDA 9.0 to 12.9 have"
policy 'arch_list: [8.0'
expect_exit 2 assert --witness native --farm farm --cell row.json $wheel
grep -qE '^error: farm/packages/pkg\.yml:[0-9]+:[0-9]+: ' err || { cat err >&2; fail "broken YAML: where?"; }
policy 'build_epcoh: 3'
refused 2 "error: farm/packages/pkg.yml:5:1: the key \"build_epcoh\" is unknown, and so near to build_epoch that it is taken for a slip"
policy 'arch_list: 8.0'
expect_exit 2 assert --witness native --farm farm --cell row.json $wheel
grep -qE '^error: farm/packages/pkg\.yml:5:12: ' err || { cat err >&2; fail "unquoted: where?"; }
# The farm of the working folder is taken unless another is named; --arch-list and the row must agree.
policy ''
(cd farm && cp ../row.json ../$wheel . && expect_exit 0 assert --witness native --cell row.json $wheel)
row 'row["arch_list"] = "8.0"'
(cd farm && cp ../row.json . && expect_exit 1 assert --witness native --cell row.json $wheel)
row
expect_exit 2 assert --witness native --farm farm --cell row.json --arch-list 8.0 $wheel
expect_exit 0 assert --witness native --farm farm --cell row.json --arch-list "8.0;9.0+PTX" $wheel
