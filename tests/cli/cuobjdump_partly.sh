#!/usr/bin/env bash
# What a release of cuobjdump cannot read is left out, image by image, and all others are still compared.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_cuobjdump

# Fatbins of the two cubins of ext_no_ptx.so and one more entry: PTX for 3.5, PTX of a later language, a kind not known.
python3 - "$fixtures/ext_no_ptx.so" <<'PYTHON'
import struct, sys
data = open(sys.argv[1], "rb").read()
at = data.index(struct.pack("<IHH", 0xBA55ED50, 1, 16))
size = struct.unpack_from("<Q", data, at + 8)[0]
good = data[at + 16:at + 16 + size]
def entry(kind, arch, major, minor, payload):
    payload += b"\0" * (-len(payload) % 8)
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 0x50, len(payload), 0, 0x40, minor, major, arch, 0, 0, 0x11, 0, 0) + \
        struct.pack("<IIQ", 0x48, 0, 0) + payload
def ptx(arch, isa):
    return b".version %s\n.target sm_%d\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n" % (isa, arch)
def write(name, *entries):
    body = b"".join(entries)
    open(name, "wb").write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body)
write("old.fatbin", good, entry(1, 35, 6, 0, ptx(35, b"6.0")))
write("new.fatbin", entry(1, 90, 99, 0, ptx(90, b"99.0")), good)
write("kind.fatbin", good, entry(0x80, 90, 1, 0, b"what is no Tile IR"))
PYTHON
release=$("$cuobjdump" --version | sed -nE 's/.*release ([0-9.]+),.*/\1/p')

expect_exit 0 inspect --cuobjdump "$cuobjdump" old.fatbin
expect_line out "  holds     sm_80 sm_90 compute_35"
expect_line out "  witnesses native, cuobjdump"
expect_line out "notice[one-witness] old.fatbin: cuobjdump $release no longer reads archs below sm_50: 1 of 3 images (compute_35): read by the native reader alone"
expect_exit 3 inspect --cuobjdump "$cuobjdump" --witness both old.fatbin
expect_error <<EOT
error: old.fatbin: cuobjdump $release no longer reads archs below sm_50: 1 of 3 images (compute_35)
    fix: name a cuobjdump that reads it with --cuobjdump, or choose --witness native
EOT
expect_exit 0 inspect --cuobjdump "$cuobjdump" new.fatbin
expect_line out "notice[one-witness] new.fatbin: cuobjdump $release is older than what made this file, which needs a newer CUDA than this version of wheelarch knows: 1 of 3 images (compute_90): read by the native reader alone"
expect_exit 0 inspect --cuobjdump "$cuobjdump" kind.fatbin
expect_line out "  witnesses native, cuobjdump"

# A decoy silences nothing: whoever lies about the rest is found out.
fake_cuobjdump 13.5 <<EOT
"$cuobjdump" "\$@" | sed s/sm_90/sm_90a/
EOT
for file in old.fatbin new.fatbin; do
  expect_exit 3 inspect --cuobjdump fake/cuobjdump $file
  grep -q "the witnesses disagree: native sees 2 images (sm_80 sm_90), cuobjdump 2 (sm_80 sm_90a)" err || fail "$file: $(cat err)"
done

# A later release that has dropped an arch says so, and is believed about that arch alone.
fake_cuobjdump 14.0 <<EOT
case \$(head -c 4 "\$4" | od -An -tx1) in
*"7f 45 4c 46"*) echo "cuobjdump fatal   : Support for 'sm_80' has been removed" >&2; exit 1 ;;
esac
"$cuobjdump" "\$@"
EOT
wheel ext_no_ptx.so=pkg/_C.so
expect_exit 0 assert --arch-list "8.0;9.0" --cuobjdump fake/cuobjdump $wheel
expect_line out "notice[one-witness] $wheel → pkg/_C.so: cuobjdump 14.0 no longer reads sm_80: 1 of 2 images (sm_80): read by the native reader alone"
fake_cuobjdump 14.0 <<'EOT'
echo "cuobjdump fatal   : Support for 'sm_61' has been removed" >&2
exit 1
EOT
expect_exit 3 assert --arch-list "8.0;9.0" --cuobjdump fake/cuobjdump $wheel

# The cases that were reported.
reported=$root/../shared/cases/round2/reader
[ -d "$reported" ] || skip "no ../shared/cases/round2"
for witness in native auto; do
  expect_exit 0 inspect --witness $witness --cuobjdump "$cuobjdump" "$reported/ptx35_sass80.fatbin"
  expect_line out "  holds     sm_80 compute_35"
  expect_exit 0 inspect --witness $witness --cuobjdump "$cuobjdump" "$reported/tile100f.fatbin"
  expect_line out "  holds     sm_100f"
  expect_exit 0 assert --arch-list 10.0f --witness $witness --cuobjdump "$cuobjdump" "$reported/k_12.9.86_sm_100f.cubin"
  expect_exit 0 assert --arch-list 9.0 --witness $witness --cuobjdump "$cuobjdump" "$reported/filed90_cubin90a.fatbin"
  neutral out | grep -qxF "warning[header-differs] filed90_cubin90a.fatbin: the image at offset OFFSET is filed as sm_90, but its cubin was built for sm_90a; the driver goes by the former" || fail "$(cat out)"
done
