#!/usr/bin/env python3
"""make_entries.py FOLDER COUNT [FIRST]: ledger entries as `wheelarch gate` writes them, of wheels that nobody built.

They are numbered from FIRST (0) on, lie in 50 packages, and each number has always the same content.
"""
import hashlib
import json
import os
import sys

SASS = ["sm_80", "sm_90", "sm_100", "sm_120"]
PTX = ["compute_120"]


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def entry(number):
    package, version = f"pkg{number % 50:02d}", f"1.{number // 50}"
    file_name = f"{package}-{version}+cu128torch2.8-cp312-cp312-linux_x86_64.whl"
    members = [
        {"path": f"{package}/_C{i}.so", "role": "extension", "sha256": sha256(f"{file_name}{i}"), "size": 1000 + i, "sass": SASS, "ptx": PTX}
        for i in range(3)
    ]
    return file_name, {
        "schema": 1, "provenance": "recorded", "package": package, "version": version,
        "cell": {"cuda": "12.8", "pytorch": "2.8.0", "python": "3.12", "platform": "linux"},
        "arch_list": "8.0;9.0;10.0;12.0+PTX", "archs": {"sass": SASS, "ptx": PTX}, "build_epoch": 1,
        "exists_key": f"{package}-{version}+cu128torch2.8-cp312-linux@epoch1", "defaults_sha256": sha256("defaults"),
        "source": {"repo": "https://example.org/example-org/" + package, "ref": "v" + version, "commit": None},
        "run": dict.fromkeys(["server", "repository", "run_id", "run_attempt", "workflow_ref", "sha"]), "toolchain": {"nvcc": "12.8.93", "cuobjdump": "12.8.90", "wheelarch": "0.1.0"},
        "witnesses": ["native"], "members": members,
        "wheel": {"filename": file_name, "sha256": sha256(file_name), "size": 12345},
        "recorded_at": "2026-01-31T12:00:00Z",
    }


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    os.makedirs(folder, exist_ok=True)
    for number in range(first, first + count):
        file_name, content = entry(number)
        # Sorting by name is sorting by number.
        with open(f"{folder}/{number:06d}-{file_name}.ledger.json", "w", encoding="utf-8") as file:
            json.dump(content, file)


main()
