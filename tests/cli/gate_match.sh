#!/usr/bin/env bash
# gate on a wheel that is as requested: stamped, its entry beside it, and nothing else of it touched.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
contents() { # each member but the two that stamping makes: name, method, CRC, times, attributes and compressed bytes
  python3 - "$1" <<'PYTHON'
import hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, open(sys.argv[1], "rb") as file:
    for m in archive.infolist():
        if not m.filename.endswith((".dist-info/RECORD", ".dist-info/_build_info.json")):
            file.seek(m.header_offset + 26)
            lengths = file.read(4)
            file.seek(m.header_offset + 30 + lengths[0] + 256 * lengths[1] + lengths[2] + 256 * lengths[3])
            data = hashlib.sha256(file.read(m.compress_size)).hexdigest()
            print(m.filename, m.compress_type, m.CRC, m.date_time, m.external_attr, m.internal_attr, m.create_system, data)
PYTHON
}
wheel ext_no_ptx.so=pkg/_C.so plain_host.so=pkg/bin/tool
contents $wheel >before
expect_exit 0 gate --arch-list "8.0;9.0" --witness native $wheel
expect_empty err
tail -n 3 out >end
expect_same end "the end of standard output" <<EOT
$wheel: stamped
  sha256    $(sha256sum <$wheel | cut -d' ' -f1)
  entry     $wheel.ledger.json
EOT
contents $wheel >after
diff before after >&2 || fail "another member was changed"
unzip -tq $wheel >unzip.log || { cat unzip.log >&2; fail "unzip objects"; }

stamp_of $wheel >stamp.json
check_json stamp.json \
  'd["schema"] == 2 and d["provenance"] == "recorded" and d["package"] == "pkg" and d["version"] == "1.0"' \
  'd["arch_list"] == "8.0;9.0" and d["archs"] == {"sass": ["sm_80", "sm_90"], "ptx": []} and d["build_epoch"] == 1' \
  'd["cell"] == {"cuda": None, "pytorch": None, "python": "3.12", "platform": "linux"}' \
  '[(m["path"], m["role"], m["sass"], m["ptx"]) for m in d["members"]] == [("pkg/_C.so", "extension", ["sm_80", "sm_90"], [])]' \
  'd["members"][0]["sha256"] == "'"$(unzip -p $wheel pkg/_C.so | sha256sum | cut -d' ' -f1)"'"' \
  'set(d["run"].values()) == {None} and d["witnesses"] == ["native"] and d["toolchain"]["wheelarch"]'
check_json $wheel.ledger.json \
  'd.pop("wheel") == {"filename": "'$wheel'", "sha256": "'"$(sha256sum <$wheel | cut -d' ' -f1)"'", "size": '"$(stat -c %s $wheel)"'}' \
  'd.pop("recorded_at").endswith("Z") and d == __import__("json").load(open("stamp.json"))'
expect_schema build-info.schema.json stamp.json
expect_schema ledger-entry.schema.json $wheel.ledger.json

# The same again: the wheel is not even written.
before=$(stat -c '%i %y' $wheel)
cp $wheel.ledger.json first.json
expect_exit 0 gate --arch-list "8.0;9.0" --witness native $wheel
expect_line out "$wheel: stamped already, not changed"
[ "$(stat -c '%i %y' $wheel)" = "$before" ] || fail "the wheel was written"
diff <(grep -v recorded_at first.json) <(grep -v recorded_at $wheel.ledger.json) >&2 || fail "the entry differs"

# Another run replaces the stamp: there is never more than one.
expect_exit 0 gate --arch-list "8.0;9.0" --witness native --build-epoch 2 $wheel
[ "$(unzip -Z1 $wheel | grep -c _build_info)" = 1 ] || fail "more than one stamp"
stamp_of $wheel >stamp.json
check_json stamp.json 'd["build_epoch"] == 2'
