#!/usr/bin/env python3
"""audit_farm.py WHEELARCH FIXTURES FOLDER

Makes in FOLDER a farm (farm/), the 208 wheels that it published (wheels/), each of a real library of FIXTURES, and what an
audit must say of each (expected.json: file name to [verdict, rules of its errors]). The wheels are gated and recorded as
builds do it; then the policy moves, and wheels, stamps, entries and files are damaged one by one, as the tables here and in audit_damage.py say.
Standard library only.
"""

import json
import os
import subprocess

from audit_damage import DAMAGE, broken_entry, edit_stamp, older_build, record_stamp
from audit_wheels import (ENTRIES, FARM, FOLDER, PYTHONS, TORCHES, WHEELS, edit_entry, file_name, gate, make, package_yaml, rows_of,
                          wheelarch, write)

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
FAULTY = {"faulty_a": "", "faulty_b": "", "faulty_c": "", "faulty_d": "", "faulty_e": "build_epoch: 2\n"}


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
    for name, more in FAULTY.items():
        package_yaml(name, *PTX[:1], more)
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
