#!/usr/bin/env python3
"""audit_farm.py WHEELARCH FIXTURES FOLDER

Makes in FOLDER a farm (farm/), the 200 wheels that it published (wheels/), each of a real library of FIXTURES, and what an
audit must say of each (expected.json: file name to [verdict, rules of its errors]). The wheels are gated and recorded as
builds do it; then the policy moves, and wheels, stamps, entries and files are damaged one by one, as the tables here say.
Standard library only.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "nvcc"))
import make_wheel  # noqa: E402

WHEELARCH, FIXTURES, FOLDER = sys.argv[1:4]
FARM, WHEELS, ENTRIES = (os.path.join(FOLDER, name) for name in ("farm", "wheels", "entries"))
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
TORCHES = ["2.8.0", "2.9.0"]
PTX = ("8.0;9.0+PTX", ["compress_none.so"])
NO_PTX = ("8.0;9.0", ["ext_no_ptx.so"])
ALL = ("7.5;8.0;9.0;10.0;12.0+PTX", ["all_majors.so"])

# Package: its list, its libraries, more of its YAML, and how it is gated besides its row.
GOOD = {
    "ok_ptx": (*PTX, "", []),
    "ok_no_ptx": (*NO_PTX, "", []),
    "ok_all": (*ALL, "", []),
    "ok_90a": ("8.0;9.0a+PTX", ["ext_90a.so"], "", []),
    "ok_gated": ("8.0;8.6;9.0+PTX", ["gated.so"], "", []),
    "ok_zstd": ("8.0;9.0+PTX", ["compress_size.so"], "", []),
    "ok_host": ("8.0;9.0", ["plain_host.so"], "device_code: none\n", []),
    "ok_jit": ("8.0;9.0", ["plain_host.so"], "jit: kernels are written in Triton\n", []),
    "ok_expect": ("8.0;9.0;12.0", ["ext_no_ptx.so"], 'expect_archs: "8.0;9.0"\n', []),
    "ok_members": ("8.0;9.0+PTX", ["compress_none.so", "ext_90a.so"], 'expect_members: {"ext_90a*.so": "8.0;9.0a+PTX"}\n', []),
    "ok_older": ("8.0;9.0;12.0", ["ext_no_ptx.so"], 'expect_archs: "8.0;9.0"\n', []),  # recorded before there was `expected`
    "ok_exclude": ("8.0;9.0+PTX", ["compress_none.so", "all_majors.so"], "", ["--exclude=all_majors.so"]),
}
# Package: the same, and its list and YAML after the policy has moved. None: it is no longer there.
MOVED = {
    "moved_wider": (*NO_PTX, "", ("8.0;9.0;10.0;12.0", "")),
    "moved_narrower": (*ALL, "", ("7.5;8.0;9.0;12.0+PTX", "")),
    "moved_epoch": (*PTX, "", ("8.0;9.0+PTX", "build_epoch: 2\n")),
    "moved_gone": (*PTX, "", None),
    "moved_expectation": (*PTX, "", ("8.0;9.0+PTX", 'expect_archs: "8.0;9.0"\n')),
    "moved_to_none": (*PTX, "", ("8.0;9.0+PTX", "device_code: none\n")),
    "moved_rows": (*PTX, "", ("8.0;9.0+PTX", "build_matrix:\n  combinations:\n" + "".join(
        f'    - {{cuda: "13.0", pytorch: "{torch}", python_versions: ["3.10", "3.11", "3.12"]}}\n' for torch in TORCHES))),
    "inferred_same": (*PTX, "", ("8.0;9.0+PTX", "")),
    "inferred_moved": (*PTX, "", ("8.0;9.0;12.0+PTX", "")),
}
FAULTY = ["faulty_a", "faulty_b", "faulty_c", "faulty_d"]


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


# --- damage: of a wheel of the faulty packages, which hold compress_none.so. Each returns the verdict and the rules.


def library_of(path):
    return os.path.basename(path).split("-")[0] + "/compress_none.so"


def set_library(path, data):
    edit(path, lambda members, info: members.__setitem__(library_of(path), data))


def edit_stamp(path, change):
    def changed(members, info):
        name = f"{info}/_build_info.json"
        stamp = json.loads(members[name])
        members[name] = json.dumps(change(stamp) or stamp).encode()
    edit(path, changed)


def set_stamp(path, data):
    def changed(members, info):
        name = f"{info}/_build_info.json"
        members.pop(name)
        if data is not None:
            members[name] = data
    edit(path, changed)


def truncate(path, size):
    os.truncate(path, size if size is not None else os.path.getsize(path) // 2)
    return "unreadable", ["unreadable"]


REPLACED = "replaced-after-recording"


def swapped_library(path):
    set_library(path, fixture("ext_no_ptx.so"))
    return "wheel-wrong", ["entry-differs", REPLACED, "stamp-differs"]


def stub_library(path):
    set_library(path, fixture("stub_90.so"))
    return "wheel-wrong", ["entry-differs", REPLACED, "stamp-differs"]


def restamped(path):
    set_library(path, fixture("ext_extra_86.so"))
    set_stamp(path, None)
    wheelarch("stamp", "--witness", "native", path)
    return "wheel-wrong", ["entry-differs", REPLACED, "stamp-entry-differs"]


def same_archs_restamped(path):
    set_library(path, fixture("compress_speed.so"))
    set_stamp(path, None)
    wheelarch("stamp", "--witness", "native", path)
    return "wheel-wrong", [REPLACED, "stamp-entry-differs"]


def other_python(path):  # a wheel that was built for another Python, under this name
    row = next(row for row in rows_of("ok_ptx") if row["python"] == "3.10")
    shutil.copy(os.path.join(WHEELS, file_name(row)), path)
    return "wheel-wrong", ["dist-info", "metadata-mismatch", REPLACED, "stamp-entry-differs"]


def stamp_archs(path):
    edit_stamp(path, lambda stamp: stamp["archs"]["sass"].append("sm_120"))
    return "wheel-wrong", [REPLACED, "stamp-differs", "stamp-entry-differs"]


def stamp_run(path):
    edit_stamp(path, lambda stamp: stamp["run"].update(run_id="666"))
    return "wheel-wrong", [REPLACED, "stamp-entry-differs"]


def stamp_member(path):
    edit_stamp(path, lambda stamp: stamp["members"][0].update(sha256="0" * 64))
    return "wheel-wrong", [REPLACED, "stamp-differs", "stamp-entry-differs"]


def stamp_text(path):
    set_stamp(path, b"\x00\xff::error::no JSON\x1b[2J")
    return "wheel-wrong", [REPLACED, "stamp-unreadable"]


def stamp_deep(path):
    set_stamp(path, b'{"a":' * 100_000 + b"1" + b"}" * 100_000)
    return "wheel-wrong", [REPLACED, "stamp-unreadable"]


def stamp_types(path):
    edit_stamp(path, lambda stamp: stamp.update(members={"path": "::warning::x"}, cell=7))
    return "wheel-wrong", [REPLACED, "stamp-unreadable"]


def stamp_names(path):
    edit_stamp(path, lambda stamp: stamp["members"].append(
        {"path": "\u001b[31m::error::x\n##[group]", "role": "extension", "sha256": "", "size": 0, "sass": [], "ptx": []}))
    return "wheel-wrong", [REPLACED, "stamp-differs", "stamp-entry-differs"]


def stamp_gone(path):
    set_stamp(path, None)
    return "wheel-wrong", [REPLACED]


def repacked(path):
    edit(path, lambda members, info: None)
    return "wheel-wrong", [REPLACED]


def added_library(path):
    edit(path, lambda members, info: members.__setitem__("more/_D.so", fixture("compress_none.so")))
    return "wheel-wrong", [REPLACED, "stamp-differs"]


def metadata_version(path):
    def change(members, info):
        name = f"{info}/METADATA"
        members[name] = members[name].replace(b"1.0+cu130torch2", b"1.1+cu130torch2")
    edit(path, change)
    return "wheel-wrong", ["metadata-mismatch", REPLACED]


def record_hash(path):
    edit(path, lambda members, info: members.__setitem__(library_of(path), fixture("compress_speed.so")), record=False)
    return "wheel-wrong", ["record-mismatch", REPLACED, "stamp-differs"]


def no_archive(path):
    write(path, "<html>504 Gateway Timeout</html>\n")
    return "unreadable", ["unreadable"]


def forget(path):
    os.remove(os.path.join(ENTRIES, os.path.basename(path) + ".ledger.json"))
    return "unrecorded", []


def forget_and_break(path):
    forget(path)
    return "wheel-wrong", metadata_version(path)[1][:1]


def entry_archs(path):
    edit_entry(os.path.basename(path), lambda entry: entry["archs"]["sass"].append("sm_120"))
    return "wheel-wrong", ["entry-differs", "stamp-entry-differs"]


def entry_list(path):
    edit_entry(os.path.basename(path), lambda entry: entry.update(arch_list="8.0;9.0;12.0+PTX"))
    return "wheel-wrong", ["not-as-requested", "stamp-entry-differs"]


def entry_hash(path):
    edit_entry(os.path.basename(path), lambda entry: entry["wheel"].update(sha256="f" * 64))
    return "wheel-wrong", [REPLACED]


def asked_for_more(path):  # stamped and recorded without an assertion
    set_stamp(path, None)
    wheelarch("stamp", "--witness", "native", "--arch-list", "7.5;8.0;9.0+PTX", path)
    record_stamp(path)
    return "wheel-wrong", ["not-as-requested"]


def record_stamp(path, without=()):  # the entry is what the wheel says now
    with zipfile.ZipFile(path) as archive:
        stamp = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("_build_info.json"))))
    with open(path, "rb") as file:
        data = file.read()

    def change(entry):
        entry.update(stamp)
        entry["wheel"].update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
        for key in without:
            del entry[key]
    edit_entry(os.path.basename(path), change)


def older_build(path):  # rebuilt and recorded with --replace, but the old file is what is published
    return "wheel-wrong", [REPLACED, "stamp-entry-differs"]


def broken_entry(path):
    return "unreadable", ["unreadable"]


DAMAGE = [swapped_library, stub_library, restamped, same_archs_restamped, other_python, stamp_archs, stamp_run, stamp_member,
          stamp_text, stamp_deep, stamp_types, stamp_names, stamp_gone, repacked, added_library, metadata_version, record_hash,
          lambda path: truncate(path, None), lambda path: truncate(path, 0), lambda path: truncate(path, os.path.getsize(path) - 1),
          lambda path: truncate(path, 3), no_archive, forget, forget, forget_and_break, entry_archs, entry_list, entry_hash,
          asked_for_more, older_build, broken_entry]


def make_farm():
    write(f"{FARM}/packages/_defaults.yml",
          "combinations:\n" + "".join(f'  - {{cuda: "13.0", pytorch: "{torch}", python_versions: {json.dumps(PYTHONS)}}}\n'
                                      for torch in TORCHES) + 'platforms: ["linux"]\n')
    write(f"{FARM}/packages/_arch_policy.yml", 'ptx_tail: false\narch_policy:\n  "13.0": "8.0;9.0+PTX"\n')
    subprocess.run(["git", "init", "-q", FARM], check=True)


def publish_good(expected):
    for name, (archs, libraries, more, options) in GOOD.items():
        package_yaml(name, archs, more)
        for row in rows_of(name):
            path = make(row, libraries)
            gate(row, path, *options)
            if name == "ok_older":
                edit_stamp(path, lambda stamp: stamp.pop("expected") and None)
                record_stamp(path, without=["expected"])
            expected[file_name(row)] = ["ok", []]


def publish_moved(expected):
    for name, (archs, libraries, more, moved) in MOVED.items():
        package_yaml(name, archs, more)
        for row in rows_of(name):
            path = make(row, libraries)
            gate(row, path)
            same = name == "inferred_same" or (name == "moved_rows" and row["python"] != "3.13")
            expected[file_name(row)] = ["ok" if same else "config-moved", []]
            if name.startswith("inferred"):
                edit_entry(file_name(row), lambda entry: entry.update(provenance="inferred", arch_list=None))


def publish_faulty(expected):
    damage = iter(DAMAGE)
    broken = None
    for name in FAULTY:
        package_yaml(name, *PTX[:1], "")
        for row in rows_of(name):
            path = make(row, PTX[1])
            gate(row, path)
            expected[file_name(row)] = ["ok", []]
            do = next(damage, None)
            if do is older_build:
                wheelarch("ledger", "record", "--farm", FARM, os.path.join(ENTRIES, file_name(row) + ".ledger.json"))
                rebuilt = make(row, ["compress_speed.so"], FOLDER)
                gate(row, rebuilt)
                os.remove(rebuilt)
            if do is broken_entry:
                broken = file_name(row)
            if do is not None:
                verdict, rules = do(path)
                expected[file_name(row)] = [verdict, sorted(rules)]
    return broken


def break_entry(name):
    """Puts text that is no entry on the branch, as only a hand can do it."""
    text = b"{}\n"
    stream = (b"commit refs/heads/wheel-ledger\ncommitter x <x@example.org> 1700000000 +0000\ndata 1\nx\n"
              b"from refs/heads/wheel-ledger^0\nM 100644 inline " + f"{name.split('-')[0]}/{name}.json".encode() +
              b"\ndata %d\n%s\n" % (len(text), text))
    subprocess.run(["git", "-C", FARM, "fast-import", "--quiet"], input=stream, check=True)


def move_policy():
    for name, (_, _, _, moved) in MOVED.items():
        if moved is None:
            os.remove(f"{FARM}/packages/{name}.yml")
        else:
            package_yaml(name, *moved)


def main():
    os.makedirs(WHEELS)
    os.makedirs(ENTRIES)
    make_farm()
    expected = {}
    publish_good(expected)
    publish_moved(expected)
    broken = publish_faulty(expected)
    wheelarch("ledger", "collect", "--replace", "--farm", FARM, ENTRIES)
    break_entry(broken)
    move_policy()
    write(os.path.join(FOLDER, "expected.json"), json.dumps(expected, indent=1))


main()
