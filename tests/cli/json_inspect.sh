#!/usr/bin/env bash
# The documented fields of `inspect --json`, and their types: of a wheel, and of a file that is no container.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_two_tu.so=pkg/_C.so plain_host.so=pkg/_host.so
sum=$(sha256sum $wheel | cut -d' ' -f1)

expect_exit 0 inspect --images --witness native --json - $wheel "$fixtures/stub_90.so" "$fixtures/loose_86.ptx"
mv out all.json
check_json all.json \
  'd["schema"] == 1 and d["errors"] == [] and len(d["files"]) == 3' \
  'd["files"][0]["path"] == "'$wheel'" and d["files"][0]["format"] == "wheel"' \
  'd["files"][0]["sha256"] == "'"$sum"'" and d["files"][0]["size"] == '"$(stat -c %s $wheel)" \
  'd["files"][0]["sass"] == ["sm_80", "sm_90"] and d["files"][0]["ptx"] == ["compute_90"]' \
  '[(m["path"], m["role"], m["format"]) for m in d["files"][0]["members"]] == [("pkg/_C.so", "extension", "elf"), ("pkg/_host.so", "host", "elf")]' \
  'd["files"][0]["members"][0]["profile"] == [{"sass": ["sm_80", "sm_90"], "ptx": ["compute_90"], "relocatable": False, "regions": 2}]' \
  '[(i["region"], i["kind"], i["arch"]) for i in d["files"][0]["members"][0]["images"]] == [(r, k, a) for r in (0, 1) for k, a in (("sass", "sm_80"), ("ptx", "compute_90"), ("sass", "sm_90"))]' \
  'all(i["section"] == ".nv_fatbin" and type(i["size"]) is int and i["size"] > 0 for i in d["files"][0]["members"][0]["images"])' \
  'all(i["compression"] in ("none", "lz4", "zstd") for i in d["files"][0]["members"][0]["images"])' \
  'all(i["kernelless"] is False and i["debug"] is False for i in d["files"][0]["members"][0]["images"])' \
  '[(i["arch"], i["kernelless"]) for i in d["files"][1]["images"]] == [("sm_90", True), ("sm_80", False)]' \
  'd["files"][1]["role"] == "extension" and d["files"][1]["sass"] == ["sm_80"] and d["files"][1]["members"] == []' \
  'd["files"][2]["format"] == "ptx" and d["files"][2]["ptx"] == ["compute_86"] and d["files"][2]["sass"] == []'

# Without --images there is no list of images, but their number.
expect_exit 0 inspect --witness native --json report.json $wheel
[ -s out ] || fail "a report in a file leaves the text on standard output"
check_json report.json 'd["files"][0]["members"][0]["image_count"] == 6' '"images" not in d["files"][0]["members"][0]' 'd["files"][0]["members"][0]["regions"] == 2'
