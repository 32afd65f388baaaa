#!/usr/bin/env python3
"""Would the strictest package index take these wheels? Its rules on the shape of a zip archive, written down anew.

    index_rules.py WHEEL...

The archive is read from its first byte to its last, as a program does that unpacks while it downloads, and each record
must say the same as the central directory, which is what installers read. Exits 1 if a wheel breaks a rule.
"""
import os
import struct
import sys
import zipfile

LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
ZIP64_END, ZIP64_LOCATOR = b"PK\6\6", b"PK\6\7"
ZIP64_EXTRA, UNICODE_PATH_EXTRA = 0x0001, 0x7075
ESCAPE = 0xFFFFFFFF
MOST_RATIO, RATIO_FREE = 50, 64 << 20


class Refused(Exception):
    pass


def require(condition, problem):
    if not condition:
        raise Refused(problem)


class Reader:
    def __init__(self, file):
        self.file = file

    def bytes(self, size):
        data = self.file.read(size)
        require(len(data) == size, f"cut short at offset {self.file.tell()}")
        return data

    def fields(self, layout):
        return struct.unpack("<" + layout, self.bytes(struct.calcsize("<" + layout)))


def name_of(data):
    require(data and all(byte >= 0x20 and byte != 0x7F for byte in data), f"empty or with control characters: {data!r}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"the name {data!r} is not UTF-8") from None


def extra_fields(data):
    """Id and content of each; nothing may be left over, and two of a kind that readers rely on are refused."""
    fields = []
    while data:
        require(len(data) >= 4, "padding in the extra fields")
        kind, size = struct.unpack("<HH", data[:4])
        require(len(data) >= 4 + size, "an extra field is cut short")
        fields.append((kind, data[4 : 4 + size]))
        data = data[4 + size :]
    for kind in (ZIP64_EXTRA, UNICODE_PATH_EXTRA):
        require(sum(field[0] == kind for field in fields) < 2, f"two extra fields {kind:#06x}")
    return fields


def widen_local(method, compressed, size, extra):
    for kind, data in extra:
        if kind == UNICODE_PATH_EXTRA:
            name_of(data[5:])
        if kind != ZIP64_EXTRA:
            continue
        require(len(data) in (0, 8, 16, 24, 28), f"a zip64 extra field of {len(data)} bytes")
        if not data:
            require(ESCAPE not in (compressed, size), "an empty zip64 extra field, but escaped sizes")
        elif len(data) == 8:
            require(method == zipfile.ZIP_STORED, "a zip64 extra field of 8 bytes, but the member is compressed")
            (compressed,) = struct.unpack("<Q", data)
            size = compressed if size == ESCAPE else size
        else:
            wide_size, compressed = struct.unpack("<QQ", data[:16])
            size = wide_size if size == ESCAPE else size
    return compressed, size


def read_local(reader, directory):
    _, flags, method, _, _, compressed, size, name_size, extra_size = reader.fields("HHHLLLLHH")
    name = name_of(reader.bytes(name_size))
    extra = extra_fields(reader.bytes(extra_size))
    require(not flags & 0x8, f"{name}: a data descriptor")
    require(method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED), f"{name}: method {method}")
    require(name in directory, f"{name}: not in the central directory")
    sizes = widen_local(method, compressed, size, extra)
    expected = directory[name].compress_size, directory[name].file_size
    require(sizes == expected, f"{name}: its local header has the sizes {sizes}, the directory {expected}")
    reader.file.seek(sizes[0], os.SEEK_CUR)
    return name


def read_central(reader):
    fields = reader.fields("HHHHLLLLHHHHHLL")
    name_size, extra_size, comment_size = fields[8:11]
    name = name_of(reader.bytes(name_size))
    reader.bytes(extra_size)
    require(comment_size == 0, f"{name}: a comment")
    return name, 46 + name_size + extra_size


def read_end(reader, wide, found):
    _, _, here, members, size, offset, comment_size = reader.fields("HHHHLLH")
    require(here == members, "the end record counts members of other disks")
    reader.bytes(comment_size)
    said = wide or (members, size, offset)
    require(said == found, f"the end record says {said} of members, size and offset, but they are {found}")


def read_zip64_end(reader):
    record_size, _, _, _, _, here, members, size, offset = reader.fields("QHHLLQQQQ")
    require(record_size == 44, "zip64 extensible data")
    require(here == members, "the zip64 end record counts members of other disks")
    return members, size, offset


def walk(file, directory):
    reader = Reader(file)
    local, central = [], []
    directory_size, directory_offset, wide, wide_offset, locator = 0, None, None, None, None
    while True:
        at = file.tell()
        signature = reader.bytes(4)
        if signature == LOCAL:
            local.append(read_local(reader, directory))
        elif signature == CENTRAL:
            directory_offset = at if directory_offset is None else directory_offset
            name, size = read_central(reader)
            require(name in local, f"{name}: no local header before the directory")
            central.append(name)
            directory_size += size
        elif signature == ZIP64_END:
            wide, wide_offset = read_zip64_end(reader), at
        elif signature == ZIP64_LOCATOR:
            (_, locator, _) = reader.fields("LQL")
        elif signature == END:
            require((wide is None) == (locator is None) and locator == wide_offset, "zip64 records that do not match")
            found = (len(central), directory_size, at if directory_offset is None else directory_offset)
            read_end(reader, wide, found)
            break
        else:
            raise Refused(f"bytes at offset {at} that belong to no record")
    for names in (local, central):
        require(len(set(names)) == len(names), "two members of the same name")
    require(set(local) == set(central), "members that only one of the two directories has")
    require(not file.read(1), "trailing data")


def check(path):
    try:
        with zipfile.ZipFile(path) as archive:
            directory = {member.orig_filename: member for member in archive.infolist()}
    except zipfile.BadZipFile as error:
        raise Refused(str(error)) from error
    with open(path, "rb") as file:
        walk(file, directory)
    unpacked = sum(member.file_size for member in directory.values())
    ratio = unpacked / os.path.getsize(path)
    require(unpacked <= RATIO_FREE or ratio <= MOST_RATIO, f"it unpacks to {ratio:.0f} times its size")


def main(paths):
    refused = 0
    for path in paths:
        try:
            check(path)
            print(f"{os.path.basename(path)}: taken")
        except Refused as problem:
            print(f"{os.path.basename(path)}: refused: {problem}")
            refused += 1
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
