#!/usr/bin/env python3
"""Compares `wheelarch inspect --images` with plain cuobjdump, image by image, on published wheels.

    compare.py --wheelarch BIN --cuobjdump BIN WHEEL...

Each member of a wheel that is an ELF file, a PE file or an archive is given to cuobjdump under the name in.so; of a PE
file the bytes of the fatbin sections are given as in.fatbin (cuobjdump on Linux cannot read PE). The two lists must
be equal in order, except for what --list-elf cannot show: the f suffix, and the `a` of a tile cubin.

Exit 0: all equal. Exit 1: a difference. A member that cuobjdump itself gives up on ("Invalid ELF", see below) is
compared as far as cuobjdump came and is counted apart.

cuobjdump 13 refuses cubins of CUDA 12.0 and 12.1 whose relocation sections link to `.nv.info`; 12.8 reads them.
"""

import argparse
import json
import os
import re
import struct
import subprocess
import tempfile
import time
import zipfile
from dataclasses import dataclass

LINE = re.compile(r"^(ELF|PTX) file +\d+: .*?([^/]*)\.sm_([0-9]+[af]?)\.(?:cubin|ptx)$")


@dataclass
class Comparison:
    """One member: how many images each saw, what differs (or ""), cuobjdump's refusal (or ""), its seconds."""

    path: str
    native: int
    listed: int
    difference: str
    refusal: str
    seconds: float


def pe_fatbins(data):
    """The fatbin sections of a PE image: executable code first, as cuobjdump orders them."""
    header = struct.unpack_from("<I", data, 0x3C)[0]
    count = struct.unpack_from("<H", data, header + 6)[0]
    symbols, symbol_count = struct.unpack_from("<II", data, header + 12)
    first = header + 24 + struct.unpack_from("<H", data, header + 20)[0]
    found = {}
    for index in range(count):
        at = first + 40 * index
        name = data[at : at + 8].rstrip(b"\0")
        if name.startswith(b"/"):
            start = symbols + 18 * symbol_count + int(name[1:])
            name = data[start : data.index(b"\0", start)]
        virtual_size, _, raw_size, offset = struct.unpack_from("<IIII", data, at + 8)
        found[name[:8]] = data[offset : offset + min(virtual_size, raw_size)]
    return [found[name] for name in (b".nv_fatb", b"__nv_rel") if name in found]


def ask_cuobjdump(program, data, name, folder):
    """(kind, arch) of each image in file order, and the text of a refusal (or "")."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    command = [program, "--list-elf", "--list-ptx", "-all", path]
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    os.remove(path)
    images = []
    for line in answer.stdout.splitlines():
        if match := LINE.match(line):
            images.append(({"ELF": "sass", "PTX": "ptx"}[match[1]], match[3]))
    if answer.returncode == 255 and "does not contain device code" in answer.stderr:
        return images, ""
    return images, answer.stderr.strip() if answer.returncode else ""


def oracle(program, data, folder):
    if data[:2] == b"MZ":
        images, refusal = [], ""
        for section in pe_fatbins(data):
            more, refused = ask_cuobjdump(program, section, "in.fatbin", folder)
            images += more
            refusal = refusal or refused
            if refused:
                break
        return images, refusal
    return ask_cuobjdump(program, data, "in.a" if data[:8] == b"!<arch>\n" else "in.so", folder)


def ask_wheelarch(program, wheel, folder):
    path = os.path.join(folder, "inspect.json")
    command = [program, "inspect", "--witness", "native", "--images", "--json", path, wheel]
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if answer.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {answer.returncode}\n{answer.stdout}{answer.stderr}")
    with open(path, encoding="utf-8") as file:
        members = json.load(file)["files"][0]["members"]
    os.remove(path)
    return {member["path"]: member for member in members}


def native_images(member):
    """What cuobjdump lists of a member's images: .nv_fatbin before __nv_relfatbin, no LTO-IR, no f on SASS.

    The images of an archive stand object by object, and are left in their order.
    """
    images = [image for image in member.get("images", []) if image["kind"] in ("sass", "ptx")]
    if member.get("format") not in ("ar", "archive"):
        images.sort(key=lambda image: image["section"].startswith("__nv_rel"))
    found = []
    for image in images:
        arch = re.search(r"[0-9]+[af]?$", image["arch"])[0]
        found.append((image["kind"], arch.rstrip("f") if image["kind"] == "sass" else arch))
    return found


def first_difference(native, listed):
    for index, (ours, theirs) in enumerate(zip(native, listed)):
        if ours != theirs:
            return f"image {index + 1}: wheelarch {ours}, cuobjdump {theirs}"
    return f"wheelarch has {len(native)} images, cuobjdump {len(listed)}"


def compare_member(name, data, member, cuobjdump, folder):
    start = time.monotonic()
    listed, refusal = oracle(cuobjdump, data, folder)
    seconds = time.monotonic() - start
    native = native_images(member)
    # This refusal is excused as far as cuobjdump came, if there is device code at all.
    excused = "Invalid ELF" in refusal and native and native[: len(listed)] == listed
    difference = "" if excused or (native == listed and not refusal) else first_difference(native, listed)
    return Comparison(name, len(native), len(listed), difference, refusal, seconds)


def compare_wheel(wheel, members, cuobjdump, folder, only=None):
    """The members of a wheel that may hold device code; `members` is what ask_wheelarch gave."""
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            if only is not None and info.filename not in only:
                continue
            with archive.open(info) as file:
                head = file.read(8)
            if head[:4] == b"\x7fELF" or head[:2] == b"MZ" or head == b"!<arch>\n":
                member = members.get(info.filename, {})
                yield compare_member(info.filename, archive.read(info), member, cuobjdump, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheelarch", required=True)
    parser.add_argument("--cuobjdump", required=True)
    parser.add_argument("wheels", nargs="+")
    options = parser.parse_args()
    equal = different = refused = images = 0
    with tempfile.TemporaryDirectory() as folder:
        for wheel in options.wheels:
            members = ask_wheelarch(options.wheelarch, wheel, folder)
            for one in compare_wheel(wheel, members, options.cuobjdump, folder):
                images += one.listed
                place = f"{os.path.basename(wheel)} -> {one.path}"
                if one.difference:
                    different += 1
                    print(f"DIFFERENT {place}: {one.difference} {one.refusal}")
                elif one.refusal:
                    refused += 1
                    print(f"refused   {place}: {one.listed} of {one.native} images, then: {one.refusal}")
                else:
                    equal += 1
    print(f"{equal} members equal ({images} images), {different} different, {refused} refused by cuobjdump")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
