#!/usr/bin/env python3
"""Packs files into a wheel whose METADATA, WHEEL and RECORD are right.

    make_wheel.py OUT.whl NAME VERSION TAG FILE=ARCNAME...

TAG is `python-abi-platform`; each of its three parts may hold several values joined by dots. The same arguments and
files give the same bytes (SOURCE_DATE_EPOCH dates the members, 1980-01-01 without it). OUT may also be a directory:
the file is then named as the wheel specification asks. Standard library only.
"""

import base64
import hashlib
import itertools
import os
import re
import sys
import time
import zipfile

USAGE = "usage: make_wheel.py OUT.whl|DIR NAME VERSION TAG FILE=ARCNAME..."


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    quoted = '"' + name.replace('"', '""') + '"' if re.search(r'[",\r\n]', name) else name
    return f"{quoted},sha256={digest},{len(data)}\n"


def member_date():
    epoch = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)
    return time.gmtime(epoch)[:6]


def build(out, name, version, tag, files):
    if tag.count("-") != 2:
        raise SystemExit(f"make_wheel.py: tag {tag!r} is not python-abi-platform")
    stem = re.sub(r"[-_.]+", "_", name)
    base = f"{stem}-{version.replace('-', '_')}"
    if os.path.isdir(out):
        out = os.path.join(out, f"{base}-{tag}.whl")
    info = f"{base}.dist-info"
    tags = ("-".join(parts) for parts in itertools.product(*(part.split(".") for part in tag.split("-"))))
    members = list(files)
    members.append((f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()))
    wheel = "Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\n"
    members.append((f"{info}/WHEEL", (wheel + "".join(f"Tag: {t}\n" for t in tags)).encode()))
    record = "".join(record_line(n, d) for n, d in members) + f"{info}/RECORD,,\n"
    members.append((f"{info}/RECORD", record.encode()))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members:
            entry = zipfile.ZipInfo(member, member_date())
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            library = member.endswith((".so", ".pyd", ".dll")) or ".so." in member
            entry.external_attr = (0o100755 if library else 0o100644) << 16
            archive.writestr(entry, data)
    return out


def main(argv):
    if len(argv) < 6:
        raise SystemExit(USAGE)
    files = []
    for pair in argv[5:]:
        path, separator, arcname = pair.partition("=")
        if not separator or not arcname:
            raise SystemExit(f"make_wheel.py: {pair!r} is not FILE=ARCNAME\n{USAGE}")
        with open(path, "rb") as file:
            files.append((arcname, file.read()))
    print(build(*argv[1:5], files))


if __name__ == "__main__":
    main(sys.argv)
