#!/usr/bin/env python3
"""Downloads the published wheels of wheels.tsv with pip and checks their hashes: fetch.py DIR [NAME...]

1.7 GB in all. They are inputs of compare.py and are never committed. With names (of packages, such as torchao, or of
files) only those. Exit 75: pip could not download. Standard library and pip only.
"""

import csv
import hashlib
import os
import re
import subprocess
import sys

NOT_DOWNLOADED = 75
HERE = os.path.dirname(os.path.abspath(__file__))


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def download(row, folder):
    python, abi, platforms = row["file"][: -len(".whl")].split("-")[-3:]
    version = re.fullmatch(r"(?:cp|py)(\d)(\d*)", python)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", folder]
    command += ["--implementation", "py" if python == "py3" else "cp", "--abi", abi]
    command += ["--python-version", f"{version[1]}.{version[2] or 12}"]
    for platform in platforms.split("."):
        command += ["--platform", platform]
    if subprocess.run(command + [f"{row['name']}=={row['version']}"], check=False).returncode:
        print(f"fetch.py: pip could not download {row['file']}", file=sys.stderr)
        raise SystemExit(NOT_DOWNLOADED)


def main(argv):
    if len(argv) < 2:
        raise SystemExit(__doc__)
    folder, names = argv[1], argv[2:]
    with open(os.path.join(HERE, "wheels.tsv"), encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if not names or {row["name"], row["file"]} & set(names)]
    if not rows:
        raise SystemExit(f"fetch.py: no wheel named {' or '.join(names)} in wheels.tsv")
    for row in rows:
        path = os.path.join(folder, row["file"])
        if not os.path.exists(path):
            download(row, folder)
        if sha256(path) != row["sha256"]:
            raise SystemExit(f"fetch.py: {path}: sha256 differs from wheels.tsv")
        print(row["file"])


if __name__ == "__main__":
    main(sys.argv)
