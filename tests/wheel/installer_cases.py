"""Wheels that are wrong, or odd, in one way each: what installers.py gives to pip, uv and wheelarch.

A case is a Wheel; its files are written in order, RECORD last. Each family of cases is one function.
"""

import base64
import dataclasses
import hashlib
import struct
import zlib

NAME, VERSION = "odd_pkg", "1.0"


@dataclasses.dataclass
class Member:
    name: bytes
    data: bytes
    mode: int = 0o100644
    flags: int = 0
    extra: bytes = b""
    local_extra: bytes = b""
    local_name: bytes | None = None
    descriptor: bool = False
    method: int = 8
    comment: bytes = b""

    def packed(self):
        if self.method != 8:
            return self.data
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        return deflate.compress(self.data) + deflate.flush()


@dataclasses.dataclass
class Wheel:
    """File name, and what lies in it; RECORD is made of the members unless `record` is given."""

    label: str
    members: list
    file_name: str = f"{NAME}-{VERSION}-py3-none-linux_x86_64.whl"
    dist_info: str = f"{NAME}-{VERSION}.dist-info"
    metadata: bytes | None = b"Metadata-Version: 2.1\nName: odd-pkg\nVersion: 1.0\n"
    wheel: bytes | None = b"Wheel-Version: 1.0\nGenerator: odd\nRoot-Is-Purelib: true\nTag: py3-none-linux_x86_64\n"
    record: object = None  # bytes, or a function of the rows that would be right
    drop_record: bool = False
    zip_comment: bytes = b""
    before: bytes = b""
    after: bytes = b""
    gap: bytes = b""
    after_record: list = dataclasses.field(default_factory=list)

    def all_members(self):
        members = list(self.members)
        for file, data in (("METADATA", self.metadata), ("WHEEL", self.wheel)):
            if data is not None:
                members.append(Member(f"{self.dist_info}/{file}".encode(), data))
        rows = []
        for member in members + self.after_record:
            if not member.name.endswith(b"/"):
                digest = base64.urlsafe_b64encode(hashlib.sha256(member.data).digest()).rstrip(b"=").decode()
                rows.append([member.name.decode("utf-8", "surrogateescape"), f"sha256={digest}", str(len(member.data))])
        rows.append([f"{self.dist_info}/RECORD", "", ""])
        if callable(self.record):
            text = self.record(rows)
        else:
            text = self.record if self.record is not None else csv(rows)
        if not self.drop_record:
            members.append(Member(f"{self.dist_info}/RECORD".encode(), text))
        return members + self.after_record

    def pack(self):
        out = bytearray(self.before)
        directory = bytearray()
        members = self.all_members()
        for member in members:
            packed, crc = member.packed(), zlib.crc32(member.data)
            utf8 = 0x800 if any(byte > 127 for byte in member.name) else 0
            flags = member.flags | utf8 | (8 if member.descriptor else 0)
            name = member.name if member.local_name is None else member.local_name
            known = (0, 0, 0) if member.descriptor else (crc, len(packed), len(member.data))
            offset = len(out)
            out += struct.pack("<4sHHHIIIIHH", b"PK\3\4", 20, flags, member.method, 0x00210000, *known, len(name),
                               len(member.local_extra)) + name + member.local_extra + packed
            if member.descriptor:
                out += struct.pack("<4sIII", b"PK\7\10", crc, len(packed), len(member.data))
            out += self.gap
            directory += struct.pack("<4sHHHHIIIIHHHHHII", b"PK\1\2", 0x0314, 20, flags, member.method, 0x00210000, crc,
                                     len(packed), len(member.data), len(member.name), len(member.extra),
                                     len(member.comment), 0, 0, (member.mode << 16) & 0xFFFFFFFF, offset)
            directory += member.name + member.extra + member.comment
        start = len(out)
        out += directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(members), len(members), len(directory), start,
                                       len(self.zip_comment)) + self.zip_comment + self.after
        return bytes(out)


def csv(rows):
    def quoted(field):
        return '"' + field.replace('"', '""') + '"' if any(c in field for c in ',"\r\n') else field
    return "".join(",".join(map(quoted, row)) + "\n" for row in rows).encode("utf-8", "surrogateescape")


class Cases:
    def __init__(self, good, decoy, fatbin):
        self.good, self.decoy, self.fatbin = good, decoy, fatbin

    def base(self):
        return [Member(b"odd_pkg/__init__.py", b"# odd\n"), Member(b"odd_pkg/_C.so", self.good)]

    def wheel(self, label, more=(), **fields):
        members = self.base() + [Member(name if isinstance(name, bytes) else name.encode(), data)
                                 for name, data in more]
        return Wheel(label, members, **fields)

    def portable(self, label, more, tags):
        """No library in it, so that the platform may be any."""
        members = [Member(b"odd_pkg/_C.fatbin", self.fatbin)] + [Member(name.encode(), data) for name, data in more]
        return Wheel(f"{label}, {tags}", members, file_name=f"{NAME}-{VERSION}-{tags}.whl",
                     wheel=f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tags}\n".encode())

    # Windows takes two of these for one file; it has no oracle here, and gate is stricter than both.
    def windows(self):
        for tags in ("py3-none-any", "py3-none-win_amd64", "py3-none-win32", "py3-none-macosx_11_0_arm64"):
            yield self.portable("plain", [], tags)
            for path in ("odd_pkg/_c.fatbin", "ODD_PKG/x", "odd_pkg/_C.fatbin.", "odd_pkg/_C.fatbin ", "odd_pkg/_C.fatbin:s",
                         "odd_pkg/con", "odd_pkg/Nul.txt", "odd_pkg/lpt1.x.y", "odd_pkg/x.", "odd_pkg/x ", "odd_pkg./x", "odd_pkg/a:b",
                         "odd_pkg/a?b", "odd_pkg/COM0", "odd_pkg/console.py", "odd_pkg/conin$"):
                yield self.portable(f"windows {path!r}", [(path, b"x")], tags)

    def all(self):
        yield self.wheel("good")
        for family in (self.paths, self.data_folders, self.collisions, self.dist_infos, self.metadata_texts,
                       self.wheel_texts, self.records, self.names, self.archives, self.links, self.windows):
            yield from family()

    # Paths of one more member, which has no plain twin; then with a twin of another content.
    def paths(self):
        odd = ["odd_pkg//x.so", "./odd_pkg/x.so", "odd_pkg/./x.so", "odd_pkg/././x.so", "//odd_pkg/x.so", "/odd_pkg/x.so",
               "odd_pkg/sub/../x.so", "../x.so", "odd_pkg/../../x.so", "odd_pkg/..", "odd_pkg/.", "odd_pkg\\x.so",
               "odd_pkg/a\\x.so", "..\\x.so", "\\x.so", "C:/x.so", "C:x.so", "c:\\x.so", "odd_pkg/C:/x.so", "odd_pkg/x.so.",
               "odd_pkg/x.so ", "odd_pkg /x.so", "odd_pkg./x.so", " odd_pkg/x.so", "odd_pkg/x.so:s", "odd_pkg/CON", "odd_pkg/nul.so",
               "odd_pkg/COM1.txt", "odd_pkg/aux/x.so", "odd_pkg/x?.so", "odd_pkg/x*.so", "odd_pkg/x<.so", "odd_pkg/x|.so",
               'odd_pkg/x".so', "odd_pkg/x,y.so", "odd_pkg/é.so", "odd_pkg/e\u0301.so", "odd_pkg/" + "n" * 255,
               "odd_pkg/" + "n" * 256, "odd_pkg/" + "d/" * 60 + "x.so", "~/x.so", "odd_pkg/...", "odd_pkg/.../x.so",
               "odd_pkg///x.so", "odd_pkg/.//x.so", ".//odd_pkg/x.so", "..odd/x.so", "odd_pkg/x..so", ".", "./", "..", "odd_pkg//",
               "odd_pkg/./", "odd_pkg/sub/", "//", "/", "odd_pkg/%2e%2e/x.so", "odd_pkg/x.so/.", "x.so", "./x.so"]
        for path in odd:
            data = b"" if path.endswith("/") else self.decoy
            yield self.wheel(f"path {path!r}", [(path, data)])
        for path in ["odd_pkg//_C.so", "./odd_pkg/_C.so", "odd_pkg/./_C.so", "odd_pkg/sub/../_C.so", "/odd_pkg/_C.so",
                     ".//odd_pkg/_C.so", "odd_pkg\\_C.so", "odd_pkg/_c.so", "ODD_PKG/_C.so", "odd_pkg/_C.so.",
                     "odd_pkg/_C.so ", "odd_pkg/_C.so:s", "odd_pkg./_C.so", "odd_pkg/_C.so::$DATA", "odd_pkg/_C.SO"]:
            yield self.wheel(f"twin {path!r}", [(path, self.decoy)])
            yield Wheel(f"twin first {path!r}", [Member(path.encode(), self.decoy)] + self.base())
        yield self.wheel("twin é, composed and not", [("odd_pkg/é.so", self.decoy), ("odd_pkg/e\u0301.so", self.good)])
        for tags in ("py3-none-win_amd64", "py3-none-linux_x86_64", "py3-none-manylinux_2_17_x86_64"):
            yield self.wheel(f"case twin, {tags}", [("odd_pkg/_c.so", self.decoy)],
                             file_name=f"{NAME}-{VERSION}-{tags}.whl",
                             wheel=f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tags}\n".encode())
        for path in (b"odd_pkg/\xff.so", b"odd_pkg/\xc3\x28.so", b"odd_pkg/\xed\xa0\x80.so", b"odd_pkg/a\0b.so", b"odd_pkg/a\nb.so",
                     b"odd_pkg/a\x7fb.so", b"odd_pkg/\xe2\x80\xaex.so", b""):
            yield self.wheel(f"bytes {path!r}", [(path, self.decoy)])

    def data_folders(self):
        own = f"{NAME}-{VERSION}.data"
        for scheme in ("purelib", "platlib", "headers", "scripts", "data", "evil", "Purelib", "PLATLIB", "stdlib", "include",
                       "platinclude", "", ".", "purelib/.."):
            yield self.wheel(f"data {scheme!r}", [(f"{own}/{scheme}/odd_more/x.so", self.decoy)])
        for path in (f"{own}/x.so", f"{own}/purelib", f"{own}", f"{own}/", f"{own}/purelib/", f"{own}/evil/", f"./{own}/purelib/x.so",
                     f"{own}//purelib/x.so", f"{own}/purelib//x.so", f"{own}/./purelib/x.so", f"{own}/purelib/./x.so",
                     f"{own}/purelib/../x.so", f"{own}/purelib/../../x.so", f"{own}/data/../x", f"{own}/data/bin/tool",
                     f"{own}/data/lib/python3.11/site-packages/y.so", f"odd_pkg/{own}/purelib/x.so"):
            yield self.wheel(f"data path {path!r}", [(path, b"" if path.endswith("/") else self.decoy)])
        for folder in ("odd-pkg-1.0.data", "Odd_Pkg-1.0.data", "odd_pkg-1.0.0.data", "odd_pkg-1.data", "other-1.0.data",
                       "odd_pkg.data", "x.data", ".data", "odd_pkg-1.0.DATA", "odd_pkg-1.0.Data", "ODD_PKG-1.0.data",
                       "odd_pkg-2.0.data"):
            for scheme in ("purelib", "evil"):
                yield self.wheel(f"data folder {folder}/{scheme}", [(f"{folder}/{scheme}/odd_more/x.so", self.decoy)])
            yield self.wheel(f"data file {folder}", [(f"{folder}/x.so", self.decoy)])
        for scheme in ("purelib", "platlib"):
            yield self.wheel(f"data {scheme} over root", [(f"{own}/{scheme}/odd_pkg/_C.so", self.decoy)])
            yield Wheel(f"root over data {scheme}", [Member(f"{own}/{scheme}/odd_pkg/_C.so".encode(), self.decoy)] + self.base())
            yield self.wheel(f"data {scheme} over metadata", [(f"{own}/{scheme}/{NAME}-{VERSION}.dist-info/METADATA", b"x")])
            yield self.wheel(f"data {scheme} into dist-info", [(f"{own}/{scheme}/{NAME}-{VERSION}.dist-info/more", b"x")])
            yield self.wheel(f"data {scheme} other dist-info", [(f"{own}/{scheme}/other-1.dist-info/METADATA", b"x")])
        yield self.wheel("purelib and platlib twins", [(f"{own}/purelib/odd_pkg/t.so", self.decoy),
                                                       (f"{own}/platlib/odd_pkg/t.so", self.good)])
        yield self.wheel("data over purelib", [(f"{own}/data/lib/python3.11/site-packages/odd_pkg/_C.so", self.decoy)])
        yield Wheel("all in purelib", [Member(f"{own}/purelib/odd_pkg/__init__.py".encode(), b"#\n"),
                                       Member(f"{own}/purelib/odd_pkg/_C.so".encode(), self.good)])
        yield Wheel("all in platlib", [Member(f"{own}/platlib/odd_pkg/__init__.py".encode(), b"#\n"),
                                       Member(f"{own}/platlib/odd_pkg/_C.so".encode(), self.good)])
        yield self.wheel("script", [(f"{own}/scripts/odd", b"#!python\nprint(1)\n")])
        yield self.wheel("script in a folder", [(f"{own}/scripts/sub/odd", b"#!python\nprint(1)\n")])
        yield self.wheel("script twins", [(f"{own}/scripts/odd", b"#!python\n"), (f"{own}/data/bin/odd", b"y")])

    # A file where a folder must be, folders and files of one name.
    def collisions(self):
        for more in ([("odd_pkg/_C.so/x", b"x")], [("odd_pkg/__init__.py/y.py", b"x")], [("odd_pkg", b"x")], [("odd_pkg/_C.so/", b"")],
                     [("a/b", b"x"), ("a/b/c", b"x")], [("a/b/c", b"x"), ("a/b", b"x")], [("a//b", b"1"), ("a/./b", b"2")],
                     [(f"{NAME}-{VERSION}.data/purelib/odd_pkg", b"x")], [(f"{NAME}-{VERSION}.data/purelib/odd_pkg/_C.so/x", b"x")],
                     [(f"{NAME}-{VERSION}.dist-info/RECORD/x", b"x")], [(f"{NAME}-{VERSION}.dist-info/METADATA/x", b"x")],
                     [("odd_pkg/", b""), ("odd_pkg", b"x")], [("empty/", b"")], [("a/", b""), ("a/b/", b""), ("a/b/c", b"x")],
                     [("a/x", b"same"), ("a//x", b"same")]):
            yield self.wheel(f"collision {[name for name, _ in more]}", more)
        yield self.wheel("same name twice", [("odd_pkg/_C.so", self.decoy)])
        yield self.wheel("same folder twice", [("odd_pkg/", b""), ("odd_pkg/", b"")])
        yield self.wheel("folder with data", [("odd_pkg/sub/", b"data")])

    def dist_infos(self):
        for more in ([("other-1.0.dist-info/METADATA", b"Name: x\n")], [("other-1.0.dist-info", b"x")], [("other-1.0.dist-info/", b"")],
                     [("odd_pkg-1.0.DIST-INFO/METADATA", b"x")], [("ODD_PKG-1.0.dist-info/METADATA", b"x")], [(".dist-info/x", b"x")],
                     [("odd_pkg-1.0.DIST-INFO", b"x")], [("odd_pkg/x.dist-info/y", b"x")], [("odd_pkg-1.0.dist-info.x/y", b"x")],
                     [("./odd_pkg-1.0.dist-info/more", b"x")], [("odd_pkg-1.0.dist-info//more", b"x")], [("./other-2.dist-info/x", b"x")],
                     [("odd_pkg-1.0.dist-info/./METADATA", b"x")], [("odd_pkg-1.0.dist-info//METADATA", b"x")], [("odd_pkg-1.0.dist-info ", b"x")],
                     [("odd_pkg-1.0.egg-info/PKG-INFO", b"x")], [("x/../other-1.dist-info/y", b"x")], [("odd_pkg-1.0.dist-info/INSTALLER", b"me\n")],
                     [("odd_pkg-1.0.dist-info/REQUESTED", b"")], [("odd_pkg-1.0.dist-info/direct_url.json", b"{}")], [("odd_pkg-1.0.dist-info/RECORD.jws", b"{}")],
                     [("odd_pkg-1.0.dist-info/metadata", b"x")], [("odd_pkg-1.0.dist-info/record", b"x")], [("odd_pkg-1.0.dist-info/_build_info.json", b"{}")],
                     [("odd_pkg-1.0.dist-info/_build_info.json/x", b"{}")], [("odd_pkg-1.0.dist-info/entry_points.txt", b"[console_scripts]\nodd = odd_pkg:main\n")],
                     [("odd_pkg-1.0.dist-info/entry_points.txt", b"[console_scripts]\nodd = \n")], [("odd_pkg-1.0.dist-info/entry_points.txt", b"nonsense")],
                     [("odd_pkg-1.0.dist-info/entry_points.txt", b"[console_scripts]\n../odd = odd_pkg:main\n")],
                     [("odd_pkg-1.0.dist-info/entry_points.txt", b"[console_scripts]\nodd = odd_pkg\n")],
                     [("odd_pkg-1.0.dist-info/entry_points.txt", b"\xff\xfe")]):
            yield self.wheel(f"dist-info {more}", more)
        for folder in ("odd-pkg-1.0.dist-info", "Odd_Pkg-1.0.dist-info", "odd.pkg-1.0.dist-info", "odd_pkg-1.0.0.dist-info", "odd_pkg-1.dist-info",
                       "odd_pkg-2.0.dist-info", "other-1.0.dist-info", "odd_pkg.dist-info", "odd_pkg-1.0.DIST-INFO", "odd__pkg-1.0.dist-info",
                       "odd_pkg-01.0.dist-info", "odd_pkg-1.0+x.dist-info", "odd_pkg_-1.0.dist-info", "odd_pkg-.dist-info", "-1.0.dist-info",
                       "odd_pkg-v1.0.dist-info", "odd_pkg-1.0-1.dist-info", "sub/odd_pkg-1.0.dist-info", "./odd_pkg-1.0.dist-info"):
            yield self.wheel(f"dist-info called {folder}", dist_info=folder)

    def metadata_texts(self):
        good = "Metadata-Version: 2.1\nName: odd-pkg\nVersion: 1.0\n"
        texts = {good.replace("\n", "\r\n"), good.replace("\n", "\r"), "", "\n", "\n" + good, " \n" + good, "\ufeff" + good, good + "\nName: other\n",
                 good + "Name: other\n", good + "Version: 2.0\n", good + "Metadata-Version: 2.2\n", good + "Nonsense\n", "Nonsense\n" + good,
                 "Metadata-Version: 2.1\nNonsense line\nName: odd-pkg\nVersion: 1.0\n", "Metadata-Version: 2.1\nName : other\nName: odd-pkg\nVersion: 1.0\n",
                 "Metadata-Version: 2.1\n: x\nName: odd-pkg\nVersion: 1.0\n", " " + good, "\t" + good, "From x y\n" + good, "Metadata-Version: 2.1\nFrom x y\nName: odd-pkg\nVersion: 1.0\n",
                 ">From x\n" + good, "Metadata-Version: 2.1\nName: odd-pkg\n\nVersion: 1.0\n", "Metadata-Version: 2.1\nName:\n odd-pkg\nVersion: 1.0\n",
                 "Metadata-Version: 2.1\nName: odd-pkg\n more\nVersion: 1.0\n", "Metadata-Version: 2.1\nName: odd-pkg\n \nVersion: 1.0\n",
                 "Metadata-Version: 2.1\nName: odd-pkg\nVersion:\n 1.0\n", "Metadata-Version:\n 2.1\nName: odd-pkg\nVersion: 1.0\n",
                 good + "Summary: a\n  b\n", good + "Summary: a\x0bb\n", good + "Summary: a\x0cName: x\n", good + "Summary: a\x1cName: x\n", good + "Summary: a\x85Name: x\n", good + "Summary: a\u2028Name: x\n",
                 good + "Sümmary: x\n", good + "X Y: z\n", good + "X\tY: z\n", good + "Description: " + "x" * 100_000 + "\n", good + "\n\nbody\nName: other\n",
                 good + "Requires-Dist: nonsense !!\n", good + "Requires-Python: >=4\n", good + "Requires-Python: nonsense\n", good + "Requires-Python: >=3.8\n", good + "Provides-Extra: bad extra\n", good + "Provides-Extra: fine\n",
                 good + "Requires-Dist: numpy\n", good + "Requires-Dist:\n", good + "Dynamic: name\n", good + "License-Expression: MIT\n", good + "License-File: LICENSE\n", good + "Import-Name: odd\n",
                 good + "Description-Content-Type: text/nonsense\n", good + "Keywords: a,b\n", good + "Platform: any\n", good + "Author-email: x\n", good + "Project-URL: x\n"}
        for version in ("", "0.9", "1.0", "1.1", "1.2", "1.3", "2.0", "2.2", "2.3", "2.4", "2.5", "2.6", "2.9", "3.0", "9", "x", "2", "2.1.0", " 2.1 ", "02.1", "2.1a", "2.4\t"):
            texts.add(good.replace("2.1", version))
        for name in ("", "odd_pkg", "Odd.Pkg", "odd--pkg", "odd-pkg-", "-odd-pkg", "odd pkg", "other", "odd-pkg ", "öдd-pkg", "ODD-PKG", "odd._-pkg", "odd-pkg[x]", "odd-pkg==1.0", "odd-pkg_"):
            texts.add(good.replace("odd-pkg", name))
        for version in ("", "1.0.0", "1", "v1.0", "2.0", "1.0+local", "nonsense", "1.0-1", "1.0 ", "01.0", "1!1.0", "0!1.0", "1.0a", "1_0", "1.0\x00"):
            texts.add(good.replace("1.0", version))
        for key in ("Metadata-Version", "Name", "Version"):
            texts.add("".join(line + "\n" for line in good.splitlines() if not line.startswith(key)))
            texts.add(good.replace(key + ":", key.lower() + ":"))
            texts.add(good.replace(key + ": ", key + ":"))
            texts.add(good.replace(key + ":", key + " :"))
            texts.add(good.replace(key + ":", key.replace("-", "_").upper() + ":"))
        for text in sorted(texts):
            yield self.wheel(f"METADATA {text[:80]!r}", metadata=text.encode())
        yield self.wheel("METADATA is missing", metadata=None)
        for raw in (good.encode() + b"Summary: \xff\n", good.encode() + b"\n\xff\n", good.encode().replace(b"odd-pkg", b"odd\xffpkg"), good.encode("utf-16"),
                    good.encode() + b"\0", b"\0" + good.encode(), good.encode() + b"X: \0\n", b"\xef\xbb\xbf\n" + good.encode(), good.encode() + b"\xff: x\n"):
            yield self.wheel(f"METADATA {raw[:80]!r}", metadata=raw)

    def wheel_texts(self):
        good = "Wheel-Version: 1.0\nGenerator: odd\nRoot-Is-Purelib: true\nTag: py3-none-linux_x86_64\n"
        texts = {good.replace("\n", "\r\n"), good.replace("\n", "\r"), "", "\n" + good, "\ufeff" + good, good + "Tag: py2-none-any\n", good + "\nTag: py2-none-any\n",
                 good + "Nonsense\n", "Nonsense\n" + good, "Wheel-Version: 1.0\nNonsense\nRoot-Is-Purelib: true\nTag: py3-none-linux_x86_64\n", " " + good, good + "Wheel-Version: 2.0\n",
                 "Wheel-Version: 1.0\nFrom a b\nRoot-Is-Purelib: true\nTag: py3-none-linux_x86_64\n", "From a b\n" + good, good.replace("1.0\n", "1.0\n 9\n"),
                 good + "Root-Is-Purelib: false\n", good + "Build: 1\n", good + "Build:\n", good + "Sümmary: x\n", good + "Tag: py3-none-linux_x86_64\n", "Wheel-Version : 2.0\n" + good}
        for version in ("", "0.1", "1", "1.0.0", "1.1", "1.9", "1.99", "2.0", "2", "1.x", "x", "1.0 ", "01.0", "-1.0", "1.", ".1", "1,0", "+1.0", "1_0.0", "1.0a", "11.0", "1.0.x", "1. 0", "1.-1"):
            texts.add(good.replace("1.0", version))
        for root in ("", "True", "TRUE", "yes", "1", "false", "False", "nonsense", "true ", "t", "no"):
            texts.add(good.replace("true", root))
        for tag in ("", "py3-none", "py3-none-linux_x86_64-x", "py3-none-linux_x86_64 ", "py3.py2-none-any", "cp311-none-any", "PY3-NONE-LINUX_X86_64", "-none-any", "py3--any", "nonsense", "py3-none-linux_x86_64", "py3 -none-any", "py3-none-linux_x86_64\n py2", "py.3-none-any"):
            texts.add(good.replace("py3-none-linux_x86_64", tag))
        for key in ("Wheel-Version", "Generator", "Root-Is-Purelib", "Tag"):
            texts.add("".join(line + "\n" for line in good.splitlines() if not line.startswith(key)))
            texts.add(good.replace(key + ":", key.lower() + ":"))
            texts.add(good.replace(key + ": ", key + ":"))
            texts.add(good.replace(key + ":", key + " :"))
        for text in sorted(texts):
            yield self.wheel(f"WHEEL {text[:80]!r}", wheel=text.encode())
        yield self.wheel("WHEEL is missing", wheel=None)
        for raw in (good.encode() + b"X: \xff\n", good.encode("utf-16"), good.encode() + b"\0", b"\0" + good.encode(), good.encode() + b"\n\xff"):
            yield self.wheel(f"WHEEL {raw[:80]!r}", wheel=raw)

    def records(self):
        yield self.wheel("RECORD is missing", drop_record=True)
        for label, record in {
                "empty": lambda rows: b"",
                "without one file": lambda rows: csv(rows[1:]),
                "without itself": lambda rows: csv(rows[:-1]),
                "with a wrong hash": lambda rows: csv([[rows[0][0], "sha256=AAAA", rows[0][2]]] + rows[1:]),
                "with md5": lambda rows: csv([[rows[0][0], "md5=AAAA", rows[0][2]]] + rows[1:]),
                "without hashes": lambda rows: csv([[row[0], "", ""] for row in rows]),
                "with a wrong size": lambda rows: csv([[rows[0][0], rows[0][1], "9"]] + rows[1:]),
                "with a size that is none": lambda rows: csv([[rows[0][0], rows[0][1], "x"]] + rows[1:]),
                "with a stray row": lambda rows: csv(rows + [["odd_pkg/none.py", "sha256=AAAA", "1"]]),
                "with a row twice": lambda rows: csv(rows + rows[:1]),
                "with two fields": lambda rows: csv([row[:2] for row in rows]),
                "with four fields": lambda rows: csv([row + ["x"] for row in rows]),
                "with one field": lambda rows: csv([row[:1] for row in rows]),
                "with backslashes": lambda rows: csv([[rows[0][0].replace("/", "\\")] + rows[0][1:]] + rows[1:]),
                "with ./": lambda rows: csv([["./" + rows[0][0]] + rows[0][1:]] + rows[1:]),
                "with an absolute path": lambda rows: csv([["/" + rows[0][0]] + rows[0][1:]] + rows[1:]),
                "with CRLF": lambda rows: csv(rows).replace(b"\n", b"\r\n"),
                "with CR": lambda rows: csv(rows).replace(b"\n", b"\r"),
                "with a BOM": lambda rows: b"\xef\xbb\xbf" + csv(rows),
                "with blank lines": lambda rows: b"\n" + csv(rows) + b"\n\n",
                "with an open quote": lambda rows: b'"' + csv(rows),
                "that is not UTF-8": lambda rows: csv(rows) + b"\xff,,\n",
                "with a NUL": lambda rows: csv(rows) + b"\0,,\n",
                "in UTF-16": lambda rows: csv(rows).decode().encode("utf-16"),
                "with padding": lambda rows: csv([[rows[0][0], rows[0][1] + "=", rows[0][2]]] + rows[1:]),
                "with quotes": lambda rows: csv(rows).replace(b"odd_pkg/__init__.py", b'"odd_pkg/__init__.py"'),
        }.items():
            yield self.wheel(f"RECORD {label}", record=record)

    def names(self):
        for stem in ("odd_pkg-1.0-py3-none", "odd_pkg-1.0-py3-none-linux_x86_64-x-y", "odd_pkg-1.0-1-py3-none-linux_x86_64", "odd_pkg-1.0-x-py3-none-linux_x86_64", "odd_pkg-1.0-1x-py3-none-linux_x86_64",
                     "odd-pkg-1.0-py3-none-linux_x86_64", "odd.pkg-1.0-py3-none-linux_x86_64", "Odd_Pkg-1.0-py3-none-linux_x86_64", "odd__pkg-1.0-py3-none-linux_x86_64", "_odd_pkg-1.0-py3-none-linux_x86_64", "odd_pkg_-1.0-py3-none-linux_x86_64",
                     "odd_pkg-nonsense-py3-none-linux_x86_64", "odd_pkg-1.0.0-py3-none-linux_x86_64", "odd_pkg-1-py3-none-linux_x86_64", "odd_pkg-v1.0-py3-none-linux_x86_64", "odd_pkg-1.0+x-py3-none-linux_x86_64", "odd_pkg-01.0-py3-none-linux_x86_64",
                     "odd_pkg-2.0-py3-none-linux_x86_64", "other-1.0-py3-none-linux_x86_64", "odd_pkg-1.0-py3.py2-none-any", "odd_pkg-1.0-PY3-none-any", "odd_pkg-1.0-py3-NONE-any", "odd_pkg-1.0-py3-none-ANY",
                     "odd_pkg-1.0-py3-none-linux_x86_64.", "odd_pkg-1.0-py3-none-.any", "odd_pkg-1.0-3py-none-any", "odd_pkg-1.0--py3-none-linux_x86_64", "odd_pkg--py3-none-linux_x86_64", "-1.0-py3-none-linux_x86_64", "odd_pkg-1.0-py3-none-linux_x86_64 (1)",
                     "odd pkg-1.0-py3-none-linux_x86_64", "odd+pkg-1.0-py3-none-linux_x86_64", "odd_pkg-1.0_1-py3-none-linux_x86_64", "odd_pkg-1.0-py3-none-linux_x86_64.any", "odd_pkg-1.0-py3-none-linux_x86_64-cu130", "öдd-1.0-py3-none-linux_x86_64",
                     "odd_pkg-1.0-py3-no ne-any", "odd_pkg-1.0-py3-none-an\u00a0y", "odd_pkg-1.0-01-py3-none-linux_x86_64", "odd_pkg-1.0-1_2-py3-none-linux_x86_64", "odd_pkg-1.0-1.2-py3-none-linux_x86_64", "odd_pkg-1.0-1é-py3-none-linux_x86_64"):
            yield self.wheel(f"name {stem}", file_name=stem + ".whl")
        for stem in ("odd_pkg-1.0-cp311-none-any", "odd_pkg-1.0-cp311-abi3-linux_x86_64", "odd_pkg-1.0-1-py3-none-linux_x86_64", "odd_pkg-1.0-py2.py3-none-linux_x86_64"):
            python, abi, platform = stem.split("-")[-3:]
            lines = "".join(f"Tag: {one}-{abi}-{platform}\n" for one in python.split("."))
            build = "Build: 1\n" if "-1-" in stem else ""
            yield self.wheel(f"name and tags {stem}", file_name=stem + ".whl", wheel=f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\n{lines}{build}".encode())
        yield self.wheel("name .WHL", file_name=f"{NAME}-{VERSION}-py3-none-linux_x86_64.WHL")

    def archives(self):
        def unicode_path(name, of=b"odd_pkg/_C.so", version=1, crc=None):
            field = struct.pack("<BI", version, zlib.crc32(of) if crc is None else crc) + name
            return struct.pack("<HH", 0x7075, len(field)) + field
        for label, fields in {
                "stored": {"method": 0}, "bzip2": {"method": 12}, "encrypted": {"flags": 1}, "strong encryption": {"flags": 0x41}, "patch": {"flags": 0x20},
                "with a descriptor": {"descriptor": True}, "with a comment": {"comment": b"hello"}, "with another local name": {"local_name": b"odd_pkg/_D.so"},
                "with a local name of other case": {"local_name": b"odd_pkg/_c.so"},
                "with a Unicode path": {"extra": unicode_path(b"odd_pkg/_D.so")}, "with a local Unicode path": {"local_extra": unicode_path(b"odd_pkg/_D.so")},
                "with its own Unicode path": {"extra": unicode_path(b"odd_pkg/_C.so"), "local_extra": unicode_path(b"odd_pkg/_C.so")},
                "with a Unicode path of no CRC": {"extra": unicode_path(b"odd_pkg/_D.so", crc=1)},
                "with a local Unicode path of no CRC": {"local_extra": unicode_path(b"odd_pkg/_D.so", crc=1)},
                "with a Unicode path of version 2": {"local_extra": unicode_path(b"odd_pkg/_D.so", version=2)},
                "with two Unicode paths": {"extra": unicode_path(b"odd_pkg/_C.so") + unicode_path(b"odd_pkg/_D.so")},
                "with two local Unicode paths": {"local_extra": unicode_path(b"odd_pkg/_C.so") + unicode_path(b"odd_pkg/_D.so")},
                "with a local Unicode path, cut": {"local_extra": struct.pack("<HH", 0x7075, 3) + b"abc"},
                "with a timestamp field": {"extra": struct.pack("<HHBI", 0x5455, 5, 1, 0), "local_extra": struct.pack("<HHBI", 0x5455, 5, 1, 0)},
                "executable": {"mode": 0o100755}, "without a mode": {"mode": 0}, "that none may read": {"mode": 0o100000}, "setuid": {"mode": 0o104755}}.items():
            members = self.base()
            members[1] = dataclasses.replace(members[1], **fields)
            yield Wheel(f"member {label}", members)
        yield self.wheel("comment", zip_comment=b"hello")
        yield self.wheel("bytes before", before=b"#!/bin/sh\n")
        yield self.wheel("bytes after", after=b"x")
        yield self.wheel("bytes between", gap=b"xxxx")
        yield self.wheel("members after RECORD", after_record=[Member(b"odd_pkg/late.so", self.decoy)])
        yield Wheel("no members but metadata", [])

    def links(self):
        for target in (b"_C.so", b"/etc/passwd", b"../../x", b""):
            yield Wheel(f"link to {target!r}", self.base() + [Member(b"odd_pkg/link.so", target, mode=0o120777)])
        for mode, what in ((0o040755, "folder"), (0o010644, "pipe"), (0o020644, "device"), (0o140644, "socket")):
            yield Wheel(f"member with the mode of a {what}", self.base() + [Member(b"odd_pkg/x.txt", b"x", mode=mode)])
        yield Wheel("link and a file below it", self.base() + [Member(b"odd_pkg/l", b"/tmp", mode=0o120777), Member(b"odd_pkg/l/x", b"x")])
