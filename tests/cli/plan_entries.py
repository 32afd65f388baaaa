#!/usr/bin/env python3
"""plan_entries.py MATRIX [FOLDER [COUNT]]

Prints the names of the wheels of a matrix's cells, one a line, as a farm publishes them. Into FOLDER it writes a ledger
entry of each of the first COUNT (all), as a build job writes it that takes its row as it is.
"""
import hashlib
import json
import os
import sys

PLATFORMS = {"linux": "manylinux_2_28_x86_64", "linux_aarch64": "manylinux_2_28_aarch64", "windows": "win_amd64"}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def file_name(row):
    torch = ".".join(row["pytorch"].split(".")[:2])
    python = "cp" + row["python"].replace(".", "")
    version = f"{row['version'] or '1.0'}+cu{row['cuda'].replace('.', '')}torch{torch}"
    return f"{row['package']}-{version}-{python}-{python}-{PLATFORMS[row['platform']]}.whl"


def entry(row):
    name = file_name(row)
    version = row["version"] or "1.0"
    return {
        "schema": 2, "provenance": "recorded", "package": row["package"], "version": version,
        "cell": {key: row[key] for key in ("cuda", "pytorch", "python", "platform")},
        "arch_list": row["arch_list"], "archs": {"sass": ["sm_80"], "ptx": []},
        "build_epoch": row["build_epoch"],
        "package_epoch": row.get("package_epoch", 0), "epoch_why": None, "exists_key": row["exists_key"], "defaults_sha256": sha256("defaults"),
        "source": {"repo": row["source_repo"], "ref": row["source_tag"], "commit": None},
        "run": None, "toolchain": {"nvcc": None, "cuobjdump": None, "wheelarch": "0.1.0"}, "witnesses": ["native"],
        "members": [{"path": "a.so", "sha256": sha256(name), "size": 1, "sass": ["sm_80"], "ptx": []}],
        "wheel": {"filename": name, "sha256": sha256(name), "size": 12345}, "recorded_at": "2026-01-31T12:00:00Z",
    }


def cells(matrix):
    seen = {}
    for rows in matrix.values():
        for row in rows["include"]:
            seen.setdefault(file_name(row), row)
    return seen


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = cells(json.load(file))
    count = int(sys.argv[3]) if len(sys.argv) > 3 else len(found)
    for number, (name, row) in enumerate(found.items()):
        print(name)
        if len(sys.argv) > 2 and number < count:
            os.makedirs(sys.argv[2], exist_ok=True)
            with open(f"{sys.argv[2]}/{number:06d}.ledger.json", "w", encoding="utf-8") as file:
                json.dump(entry(row), file)


main()
