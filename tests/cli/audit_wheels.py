"""Of audit_farm.py, whose arguments it reads: makes, gates and edits wheels and their entries. Standard library only."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nvcc"))
import make_wheel  # noqa: E402

WHEELARCH, FIXTURES, FOLDER = sys.argv[1:4]
FARM, WHEELS, ENTRIES = (os.path.join(FOLDER, name) for name in ("farm", "wheels", "entries"))
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
TORCHES = ["2.8.0", "2.9.0"]


def wheelarch(*arguments):
    done = subprocess.run([WHEELARCH, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"audit_farm.py: {arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def package_yaml(name, archs, more):
    write(f"{FARM}/packages/{name}.yml",
          f'name: {name}\nversion: "1.0"\nsource_repo: example-org/{name}\nsource_tag: v1.0\narch_list: "{archs}"\n{more}')


def rows_of(package):
    for torch in TORCHES:
        for python in PYTHONS:
            yield {"package": package, "version": "1.0", "cuda": "13.0", "pytorch": torch, "python": python, "platform": "linux"}


def file_name(row):
    tag = "cp" + row["python"].replace(".", "")
    return f"{row['package']}-1.0+cu130torch{row['pytorch'][:3]}-{tag}-{tag}-linux_x86_64.whl"


def fixture(name):
    with open(os.path.join(FIXTURES, name), "rb") as file:
        return file.read()


def make(row, libraries, folder=WHEELS):
    name = file_name(row)
    path = os.path.join(folder, name)
    files = [(f"{row['package']}/{library}", fixture(library)) for library in libraries]
    make_wheel.build(path, row["package"], name.split("-")[1], name[:-4].split("-", 2)[2], files)
    return path


def gate(row, path, *options):
    write(os.path.join(FOLDER, "row.json"), json.dumps(row))
    wheelarch("gate", "--witness", "native", "--farm", FARM, "--cell", os.path.join(FOLDER, "row.json"), *options, path)
    os.replace(path + ".ledger.json", os.path.join(ENTRIES, os.path.basename(path) + ".ledger.json"))


def edit_entry(name, change):
    path = os.path.join(ENTRIES, name + ".ledger.json")
    with open(path, encoding="utf-8") as file:
        entry = json.load(file)
    change(entry)
    write(path, json.dumps(entry))


def edit(path, change, record=True):
    """`change` gets {name: bytes} and the dist-info folder; RECORD is made anew, unless that is not wanted."""
    with zipfile.ZipFile(path) as archive:
        members = {member.filename: archive.read(member) for member in archive.infolist()}
    info = next(name for name in members if name.endswith("/RECORD")).split("/")[0]
    change(members, info)
    if record:
        def row(name, data):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            return f"{name},sha256={digest},{len(data)}\n"
        del members[f"{info}/RECORD"]
        text = "".join(row(name, data) for name, data in members.items()) + f"{info}/RECORD,,\n"
        members[f"{info}/RECORD"] = text.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 1)
