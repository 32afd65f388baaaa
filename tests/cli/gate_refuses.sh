#!/usr/bin/env bash
# gate on a wheel that does not hold, or cannot be read: no byte of it changes, and there is no entry.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
refused() { # refused EXIT LINE: of either stream
  remember $wheel
  expect_exit "$1" gate --arch-list "8.0;9.0" --witness native --statement statement.json --json result.json $wheel
  cat out err >both
  expect_line both "$2"
  expect_unchanged
  expect_no_file '*.ledger.json' 'statement.json' '*.tmp' '.??*'
}
wheel ext_narrow_b.so=pkg/_C.so
refused 1 "$wheel: MISMATCH"
check_json result.json 'd["verdict"] == "mismatch" and d["stamped"] is None and d["entry"] is None'

wheel ext_no_ptx.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.1\n"'
refused 1 "$wheel: REFUSED"
check_json result.json 'd["verdict"] == "refused" and d["stamped"] is None and d["entry"] is None' \
  '[f["rule"] for f in d["findings"]] == ["metadata-mismatch"]'

# Both at once is a mismatch: the archs go first.
wheel ext_narrow_b.so=pkg/_C.so
edit_wheel $wheel <<<'members[f"{info}/METADATA"][1] = b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.1\n"'
refused 1 "$wheel: MISMATCH"
check_json result.json '{f["rule"] for f in d["findings"]} >= {"metadata-mismatch", "extra-arch"}'

wheel ext_no_ptx.so=pkg/_C.so
truncate -s -1 $wheel
remember $wheel
expect_exit 3 gate --arch-list "8.0;9.0" --witness native --json result.json $wheel
expect_unchanged
expect_no_file '*.ledger.json'
check_json result.json 'd["verdict"] == "unchecked" and len(d["errors"]) == 1'

# A member without device code that is damaged is no match either: the stamp would vouch for it.
wheel ext_no_ptx.so=pkg/_C.so /etc/hostname=pkg/data.txt
python3 - $wheel <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    at = archive.getinfo("pkg/data.txt").header_offset + 30 + len("pkg/data.txt")
data = bytearray(open(sys.argv[1], "rb").read())
data[at] ^= 0xFF
open(sys.argv[1], "wb").write(data)
PYTHON
remember $wheel
expect_exit 3 gate --arch-list "8.0;9.0" --witness native $wheel
expect_unchanged
expect_no_file '*.ledger.json'
