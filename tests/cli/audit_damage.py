"""Of audit_farm.py: what may have become of a published wheel, one function each, and what an audit must say then."""

import hashlib
import json
import os
import shutil
import zipfile

from audit_wheels import ENTRIES, WHEELS, edit, edit_entry, file_name, fixture, rows_of, wheelarch, write


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
    return "wheel-wrong", ["dist-info", "metadata-mismatch", "other-build", REPLACED, "stamp-entry-differs"]


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


def entry_archs(path):  # an entry that agrees with itself, else it is not recorded
    def edit(entry):
        for holder in [entry["archs"], *(member for member in entry["members"] if member["role"] == "extension")]:
            holder["sass"].append("sm_120")
    edit_entry(os.path.basename(path), edit)
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


def other_cell(path):  # stamp and entry agree, but the file name does not
    edit_stamp(path, lambda stamp: stamp["cell"].update(cuda="12.8", python="3.9"))
    record_stamp(path)
    return "wheel-wrong", ["other-build"]


def other_package(path):  # the farm has one of this name
    edit_stamp(path, lambda stamp: stamp.update(package="ok_ptx"))
    record_stamp(path)
    return "wheel-wrong", ["other-build"]


def forget_other_cell(path):
    edit_stamp(path, lambda stamp: stamp["cell"].update(cuda="12.8"))
    forget(path)
    return "wheel-wrong", ["other-build"]


def forget_epoch_to_come(path):
    edit_stamp(path, lambda stamp: stamp.update(build_epoch=99))
    forget(path)
    return "wheel-wrong", ["other-build"]


def forget_asked_for_more(path):
    asked_for_more(path)
    forget(path)
    return "wheel-wrong", ["not-as-requested"]


def newer_build(path):  # published, but the entry is still that of the build before
    edit_entry(os.path.basename(path), lambda entry: entry.update(
        package_epoch=0, exists_key=entry["exists_key"].replace("+pkg2", "")))
    set_library(path, fixture("compress_speed.so"))
    stamp_archs_of(path)
    return "wheel-wrong", [REPLACED, "stamp-entry-differs"]


def stamp_archs_of(path):  # a stamp of epoch 2 that holds
    set_stamp(path, None)
    wheelarch("stamp", "--witness", "native", "--arch-list", "8.0;9.0+PTX", "--build-epoch", "2", path)


def epoch_ahead(path):  # the policy went back after the wheel was built and recorded
    edit_stamp(path, lambda stamp: stamp.update(build_epoch=3, exists_key=stamp["exists_key"].replace("@epoch1", "@epoch3")))
    record_stamp(path)
    return "config-moved", []


# The last are of a package at epoch 2.
DAMAGE = [swapped_library, stub_library, restamped, same_archs_restamped, other_python, stamp_archs, stamp_run, stamp_member,
          stamp_text, stamp_deep, stamp_types, stamp_names, stamp_gone, repacked, added_library, metadata_version, record_hash,
          lambda path: truncate(path, None), lambda path: truncate(path, 0), lambda path: truncate(path, os.path.getsize(path) - 1),
          lambda path: truncate(path, 3), no_archive, forget, forget, forget_and_break, entry_archs, entry_list, entry_hash,
          asked_for_more, older_build, broken_entry, other_package, other_cell, forget_other_cell, forget_epoch_to_come,
          forget_asked_for_more, newer_build, epoch_ahead]
