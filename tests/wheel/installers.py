#!/usr/bin/env python3
"""Holds wheelarch's gate against pip and uv, on wheels made by installer_cases.py.

What gate accepts, both must install, and the files on disk must be those that it judged: same paths, same hashes. What
either refuses, gate must refuse. What gate refuses and both install is counted by rule; --all lists it.

  installers.py --wheelarch PROGRAM [--every N] [--only TEXT] [--all]      run it by the Python that has pip
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from installer_cases import Cases

HERE = pathlib.Path(__file__).resolve().parent
WRITTEN = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", "uv_build.json"}  # by installers


def examples():
    folder = HERE.parent / "example"
    def read(wheel, member):
        with zipfile.ZipFile(next(folder.glob(wheel))) as archive:
            return archive.read(next(n for n in archive.namelist() if n.endswith(member)))
    library = read("example_pkg-*.whl", "_C.so")
    with tempfile.NamedTemporaryFile() as elf, tempfile.NamedTemporaryFile() as fatbin:
        elf.write(library)
        elf.flush()
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.nv_fatbin", elf.name, fatbin.name], check=True)
        return library, read("host_pkg-*.whl", ".so"), pathlib.Path(fatbin.name).read_bytes()


def gate(program, wheel):
    run = subprocess.run([program, "gate", "--witness", "native", "--arch-list", "8.0;9.0+PTX", "--json", "-", wheel],
                         capture_output=True)
    text = run.stdout.decode("utf-8", "replace") + run.stderr.decode("utf-8", "replace")
    rules = sorted(set(re.findall(r"error\[([a-z-]+)\]", text)))
    lines = [line for line in text.splitlines() if line.startswith("error")]
    return run.returncode, rules or ([] if run.returncode == 0 else [f"exit {run.returncode}"]), lines, run.stdout


def with_pip(wheel, prefix):
    """In a fork of this process, which has pip loaded: a tenth of the time of a new one."""
    log = prefix.with_suffix(".pip.log")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with open(log, "wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            from pip._internal.cli.main import main
            code = main(["install", "--isolated", "--no-index", "--no-deps", "--no-compile", "--no-cache-dir", "-q",
                         "--ignore-installed", "--disable-pip-version-check", "--prefix", str(prefix), str(wheel)])
        except BaseException as error:  # also SystemExit
            print(repr(error), flush=True)
        os._exit(code if isinstance(code, int) else 1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code == 0, log.read_text(errors="replace").strip()


def with_uv(wheel, prefix, cache):
    run = subprocess.run(["uv", "pip", "install", "--quiet", "--offline", "--no-index", "--no-deps", "--no-config",
                          "--link-mode", "copy", "--cache-dir", cache, "--python", sys.executable, "--prefix",
                          str(prefix), str(wheel)], capture_output=True, text=True, errors="replace")
    return run.returncode == 0, run.stderr.strip()


def tree(prefix):
    """Path to hash, without what installers write; a script's first line is theirs too."""
    files = {}
    for folder, _, names in os.walk(os.fsencode(prefix)):
        for name in names:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, os.fsencode(prefix)).decode("utf-8", "surrogateescape")
            parts = relative.split("/")
            if len(parts) > 1 and parts[-2].endswith(".dist-info") and parts[-1] in WRITTEN:
                continue
            if relative == ".lock":  # of uv
                continue
            data = os.readlink(path) if os.path.islink(path) else open(path, "rb").read()
            if parts[0] == "bin":
                data = b"script" if data.startswith(b"#!") or b"\n'''exec'" in data[:200] else data
            files[relative] = hashlib.sha256(data).hexdigest()
    return files


def judged_differs(prefix, wheel, report):
    """The members of the report against the files on disk, by the hash that the wheel's member has."""
    site = next(prefix.glob("lib*/python*/*-packages"), None)
    with zipfile.ZipFile(wheel) as archive:
        stamp = json.loads(archive.read(next(n for n in archive.namelist() if n.endswith("/_build_info.json"))))
    for member in stamp["members"]:
        path = site / member["path"] if site else None
        if path is None or not path.is_file():
            return f"{member['path']} is not installed there"
        if hashlib.sha256(path.read_bytes()).hexdigest() != member["sha256"]:
            return f"{member['path']} has another content"
    for member in json.loads(report)["members"]:
        if ".data/" not in member["path"] and not (site / member["path"]).is_file():
            return f"{member['path']} is not installed there"
    return ""


class Run:
    def __init__(self, options):
        self.options = options
        self.faults, self.stricter, self.counts = [], [], {}

    def case(self, index, case, folder):
        work = folder / str(index)
        work.mkdir()
        wheel = work / case.file_name
        try:
            wheel.write_bytes(case.pack())
        except (OSError, ValueError):
            return
        code, rules, lines, report = gate(self.options.wheelarch, wheel)
        before = set(os.listdir(work))
        pip, pip_log = with_pip(wheel, work / "pip")
        uv, uv_log = with_uv(wheel, work / "uv", folder / "cache")
        accepted = code == 0
        key = ("gate " + ("takes" if accepted else "refuses"), "pip " + ("takes" if pip else "refuses"), "uv " + ("takes" if uv else "refuses"))
        self.counts[key] = self.counts.get(key, 0) + 1
        fault = ""
        foreign = "not a supported wheel" in pip_log or "requires a different Python" in pip_log or case.file_name.endswith("-cu130.whl")  # or a variant
        if accepted and foreign:
            pass
        elif accepted and not (pip and uv):
            fault = "gate takes it, " + ("pip" if not pip else "uv") + " refuses: " + (pip_log if not pip else uv_log)[-300:]
        elif accepted:
            pip_tree, uv_tree = tree(work / "pip"), tree(work / "uv")
            if pip_tree != uv_tree:
                fault = f"pip and uv install different files: {sorted(set(pip_tree.items()) ^ set(uv_tree.items()))[:4]}"
            else:
                fault = judged_differs(work / "pip", wheel, report)
        if code not in (0, 1, 3):
            fault = f"exit {code}: {lines}"
        if fault:
            self.faults.append(f"{case.label}: {fault}")
        if not accepted and pip and uv:
            self.stricter.append((",".join(rules), case.label, lines))
        if self.options.all:
            print(f"{key} {rules} {case.label}\n    {lines[:2]}\n    pip: {pip_log[-160:]!r}\n    uv: {uv_log[-200:]!r}")
        shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheelarch", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    options.wheelarch = os.path.abspath(options.wheelarch)
    import pip._internal.cli.main  # noqa: F401  loaded once, for all forks
    import pip._internal.commands.install  # noqa: F401
    run, made = Run(options), 0
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(Cases(*examples()).all()):
            if index % options.every == 0 and options.only in case.label:
                made += 1
                run.case(index, case, pathlib.Path(folder))
    for key, count in sorted(run.counts.items()):
        print(f"{count:5}  {', '.join(key)}")
    if not options.every > 1:
        print("gate refuses and both install:")
        for rules, label, _ in sorted(run.stricter):
            print(f"  {rules}: {label}")
    for fault in run.faults:
        print(f"FAULT {fault}")
    print(f"{made} wheels, {len(run.faults)} faults, {len(run.stricter)} where gate is stricter than both")
    return 1 if run.faults else 0


if __name__ == "__main__":
    sys.exit(main())
