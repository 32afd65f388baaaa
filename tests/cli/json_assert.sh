#!/usr/bin/env bash
# The documented fields of `assert --json`, and their types.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_cuobjdump
wheel ext_narrow_b.so=pkg/_C.so stub_90.so=pkg/_stub.so plain_host.so=pkg/_host.so
sum=$(sha256sum $wheel | cut -d' ' -f1)

expect_exit 1 assert --arch-list "8.0;8.6;9.0" --witness both --cuobjdump "$cuobjdump" --json - $wheel
expect_empty err
check_json out \
  'd["schema"] == 1 and d["file"] == "'$wheel'" and d["verdict"] == "mismatch" and d["errors"] == []' \
  'd["sha256"] == "'"$sum"'" and d["size"] == '"$(stat -c %s $wheel)" \
  'd["witnesses"] == ["native", "cuobjdump"]' \
  'd["requested"] == {"sass": ["sm_80", "sm_86", "sm_90"], "ptx": [], "arch_list": "8.0;8.6;9.0"}' \
  'd["observed"] == {"sass": ["sm_80", "sm_90"], "ptx": ["compute_90"]}' \
  'd["missing"] == {"sass": ["sm_86"], "ptx": []} and d["extra"] == {"sass": [], "ptx": ["compute_90"]}' \
  '[(m["path"], m["role"], m["images"], m["kernelless"]) for m in d["members"]] == [("pkg/_C.so", "extension", 4, 0), ("pkg/_stub.so", "extension", 2, 1), ("pkg/_host.so", "host", 0, 0)]' \
  '[(m["sass"], m["ptx"]) for m in d["members"]] == [(["sm_80", "sm_90"], ["compute_90"]), (["sm_80"], []), ([], [])]' \
  'd["members"][0]["profile"] == [{"sass": ["sm_80"], "ptx": [], "relocatable": False, "regions": 1}, {"sass": ["sm_80", "sm_90"], "ptx": ["compute_90"], "relocatable": False, "regions": 1}]' \
  '{f["rule"]: f["severity"] for f in d["findings"]} == {"missing-arch": "error", "extra-arch": "error", "narrow-member": "warning", "narrow-region": "warning"}' \
  'all(set(f) == {"rule", "severity", "place", "message", "fix"} and all(type(v) is str for v in f.values()) for f in d["findings"])'

# The report is written whatever the verdict, and a place that cannot be written is exit 3.
expect_exit 0 assert --arch-list "8.0;9.0+PTX" --witness native --json report.json $wheel
check_json report.json 'd["verdict"] == "match"'
expect_exit 3 assert --arch-list "8.0;9.0+PTX" --witness native --json no/such/folder/report.json $wheel
