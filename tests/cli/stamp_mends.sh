#!/usr/bin/env bash
# What real builders make is stamped, and comes out as the strictest reader takes it.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
library=ext_no_ptx.so=pkg/_C.so
stamped() { # stamped FILE [WARNING]: stamps it, and only that is said of it
  expect_exit 0 stamp --witness native "$1"
  grep -oE '^(warning|error)\[[a-z-]*\]' out err | sed 's/.*\[\(.*\)\]/\1/' >said || true
  [ "$(cat said)" = "${2:-}" ] || { cat out err >&2; fail "$1: said $(cat said)"; }
  unzip -tq "$1" >unzip.log || { cat unzip.log >&2; fail "unzip objects to $1"; }
  python3 "$root/tests/real/index_rules.py" "$1" >rules.log 2>&1 || { cat rules.log >&2; fail "an index would refuse $1"; }
  is_stamped "$1" || fail "$1 is not stamped"
}

wheel $library # written to a stream: data descriptors
python3 - $wheel <<'PYTHON'
import io, sys, zipfile
class Stream(io.RawIOBase):
    def __init__(self, path): self.file = open(path, "wb")
    def writable(self): return True
    def write(self, data): return self.file.write(data)
with zipfile.ZipFile(sys.argv[1]) as archive:
    members = [(m, archive.read(m)) for m in archive.infolist()]
with zipfile.ZipFile(Stream(sys.argv[1] + ".new"), "w", zipfile.ZIP_DEFLATED) as archive:
    for member, data in members:
        archive.writestr(zipfile.ZipInfo(member.filename), data)
PYTHON
mv $wheel.new $wheel
python3 -c 'import sys, zipfile; sys.exit(not any(m.flag_bits & 8 for m in zipfile.ZipFile(sys.argv[1]).infolist()))' $wheel ||
  fail "no data descriptor to begin with"
stamped $wheel

wheel $library # RECORD from Windows
edit_wheel $wheel <<'PYTHON'
rows = old.splitlines(True)
members[f"{info}/RECORD"][1] = b"".join(r.replace(b"/", b"\\", 1) for r in rows) + info.encode() + b"\\RECORD,sha256=abc,5\n"
PYTHON
stamped $wheel record-backslash
unzip -p $wheel '*/RECORD' >record
! grep -F \\ record >&2 || fail "a backslash is left in RECORD"
[ "$(tail -n 1 record)" = "pkg-1.0.dist-info/RECORD,," ] || { cat record >&2; fail "RECORD's own row"; }
[ "$(grep -c RECORD record)" = 1 ] || fail "RECORD has more than one row"

wheel $library plain_host.so=pkg/bin/ptxas # modes, times, folders, RECORD in the middle
edit_wheel $wheel <<'PYTHON'
members["pkg/bin/ptxas"][0].external_attr = 0o100755 << 16
members["pkg/bin/ptxas"][0].date_time = (2024, 2, 29, 23, 59, 58)
members["pkg/empty/"] = [zipfile.ZipInfo("pkg/empty/"), b""]
record = members.pop(f"{info}/RECORD")
members = {f"{info}/RECORD": record} | members
PYTHON
stamped $wheel
python3 - $wheel <<'PYTHON' || fail "attributes"
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    tool = archive.getinfo("pkg/bin/ptxas")
    assert tool.external_attr >> 16 == 0o100755 and tool.date_time == (2024, 2, 29, 23, 59, 58), tool
    assert archive.getinfo("pkg/_C.so").external_attr >> 16 == 0o100755 and "pkg/empty/" in archive.namelist()
    assert archive.namelist()[-2:] == ["pkg-1.0.dist-info/_build_info.json", "pkg-1.0.dist-info/RECORD"], archive.namelist()
PYTHON

wheel $library # zip64 fields
python3 - $wheel <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    members = [(m, archive.read(m)) for m in archive.infolist()]
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for member, data in members:
        with archive.open(zipfile.ZipInfo(member.filename), "w", force_zip64=True) as file:
            file.write(data)
PYTHON
stamped $wheel

# Odd names: compressed tag sets, abi3, a build tag, a local version with capitals, an epoch.
for tag in py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64 cp39-abi3-linux_x86_64 py2.py3-none-linux_x86_64 \
  graalpy312-graalpy250_312_native-linux_x86_64; do
  made_wheel pkg-1.0-$tag.whl pkg 1.0 $tag $library
  stamped pkg-1.0-$tag.whl
done
made_wheel pkg-1.0-1build2-py3-none-linux_x86_64.whl pkg 1.0 py3-none-linux_x86_64 $library
edit_wheel pkg-1.0-1build2-py3-none-linux_x86_64.whl <<<'members[f"{info}/WHEEL"][1] += b"Build: 1build2\n"'
stamped pkg-1.0-1build2-py3-none-linux_x86_64.whl
for version in 2.7.3+cu11torch2.1cxx11abiFALSE '1!2.0' 1.0rc1.post2.dev3; do
  made_wheel "flash_attn-$version-cp310-cp310-linux_x86_64.whl" flash_attn $version cp310-cp310-linux_x86_64 $library
  stamped "flash_attn-$version-cp310-cp310-linux_x86_64.whl"
  expect_exit 0 gate --arch-list "8.0;9.0" --witness native "flash_attn-$version-cp310-cp310-linux_x86_64.whl"
done
