#!/usr/bin/env bash
# The matrix row: from a file and from standard input; what it says gets into the stamp, and must fit the wheel.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
name=pkg-1.0+cu130torch2.9-cp312-cp312-linux_x86_64.whl
fresh() { rm -f ./*.ledger.json; made_wheel . pkg 1.0+cu130torch2.9 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so; }
row() { # row PYTHON: a whole row, changed
  python3 - "$1" <<'PYTHON' >row.json
import json, sys
row = {"package": "pkg", "version": "1.0", "cuda": "13.0", "pytorch": "2.9.0", "python": "3.12", "platform": "linux",
       "arch_list": "8.0;9.0", "build_epoch": 3, "source_repo": "example-org/pkg", "source_tag": "v1.0", "runner": "ubuntu"}
exec(sys.argv[1])
print(json.dumps(row))
PYTHON
}
refused() { # refused EXIT ROW_CHANGE OPTION... <MESSAGE
  fresh
  row "$2"
  remember $name
  expect_exit "$1" gate --witness native --cell row.json "${@:3}" $name
  [ -s err ] && expect_same err "standard error" || { grep -A1 -F 'error[' out >findings; expect_same findings "findings"; }
  expect_unchanged
  expect_no_file '*.ledger.json'
}

fresh
row ''
expect_exit 0 gate --witness native --cell row.json --source-commit c0ffee $name
stamp_of $name >stamp.json
check_json stamp.json \
  'd["cell"] == {"cuda": "13.0", "pytorch": "2.9.0", "python": "3.12", "platform": "linux"}' \
  'd["package"] == "pkg" and d["version"] == "1.0" and d["arch_list"] == "8.0;9.0" and d["build_epoch"] == 3' \
  'd["source"] == {"repo": "example-org/pkg", "ref": "v1.0", "commit": "c0ffee"} and d["defaults_sha256"] is None'
expect_schema build-info.schema.json stamp.json
from_file=$(sha256sum <$name)

# From standard input, and with a list and an epoch that say the same.
fresh
"$WHEELARCH" gate --witness native --cell - --source-commit c0ffee --arch-list "8.0 9.0" --build-epoch 3 $name <row.json >out 2>err ||
  { cat err; fail "standard input"; }
stamp_of $name >again.json
check_json again.json 'd["arch_list"] == "8.0;9.0"'
[ "$(sha256sum <$name)" = "$from_file" ] || fail "another stamp from standard input"

# Other commands take it too.
fresh
expect_exit 0 assert --witness native --cell row.json $name
remember $name
row 'row["arch_list"] = "8.0"'
expect_exit 1 assert --witness native --cell row.json $name
expect_unchanged

# The file name fills what the row leaves out.
row 'row = {"arch_list": "8.0;9.0"}'
expect_exit 0 gate --witness native --cell row.json $name
stamp_of $name >stamp.json
check_json stamp.json 'd["cell"] == {"cuda": "13.0", "pytorch": "2.9", "python": "3.12", "platform": "linux"}' \
  'd["package"] == "pkg" and d["version"] == "1.0" and d["build_epoch"] == 1'

refused 1 'row["python"] = "3.11"; row["cuda"] = "12.8"' <<EOT
error[cell-mismatch] $name: the matrix row has cuda 12.8, the file name says 13.0
    fix: build the wheel of this row, or give the row that built this wheel
error[cell-mismatch] $name: the matrix row has python 3.11, the file name says 3.12
    fix: build the wheel of this row, or give the row that built this wheel
EOT
refused 2 '' --arch-list "8.0;9.0+PTX" <<'EOT'
error: --arch-list asks for sm_80 sm_90 compute_90, but the matrix row for sm_80 sm_90
    fix: give one of the two; the row is what the build was started with
EOT
refused 2 '' --build-epoch 2 <<'EOT'
error: --build-epoch is 2, but the matrix row says 3
    fix: give one of the two; the row is what the build was started with
EOT
refused 2 'row["arch_list"] = None' <<'EOT'
error: nothing is requested
    fix: give --arch-list, for example --arch-list "8.0;9.0+PTX", or --device-code none, or a matrix row with an arch_list by --cell
EOT
# A package may be called other than its wheel, but hardly ever is.
fresh
row 'row["package"] = "other"'
expect_exit 0 gate --witness native --cell row.json $name
grep -qF "warning[package-name] $name: the matrix row is of package other, the wheel's distribution is pkg" out || { cat out >&2; fail "another package"; }
fresh
remember $name
expect_exit 3 gate --witness native --cell missing.json $name
expect_exit 2 gate --witness native --arch-list "8.0;9.0" --build-epoch 0 $name
expect_exit 2 gate --witness native --arch-list "8.0;9.0" --build-epoch=-1 $name
expect_exit 2 gate --witness native --arch-list "8.0;9.0" --build-epoch 99999999999999999999 $name
expect_unchanged
