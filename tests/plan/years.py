#!/usr/bin/env python3
"""years.py WHEELARCH YEARS [FIRST [STEPS]]

Random years of a small farm, each from its own seed: bumps of farm and packages, edits with and without them, jobs that
fail, entries that come late, packages that go and come again, wheels that are carried, replaced or uploaded anew, new
sources. After each step `plan` and `matrix` are compared with the model (model.py). Exit 1 if one of them differs.
"""
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from model import Package, Record, World

CUDAS, PYTHONS = ("12.8", "13.0"), ("3.11", "3.12")
LISTS = ("8.0", "8.0;9.0", "8.0;9.0;12.0", "9.0")


class Differs(Exception):
    pass


def file_name(package, version, cuda, python, one_file):
    tag = "py3-none" if one_file else "cp{0}-cp{0}".format(python.replace(".", ""))
    return f"{package}-{version or '1.0'}+cu{cuda.replace('.', '')}torch2.9-{tag}-manylinux_2_28_x86_64.whl"


class Year:
    def __init__(self, program, seed, folder):
        self.program, self.random, self.folder = program, random.Random(seed), folder
        self.clock, self.log, self.pending, self.count = 0, [], [], 0
        self.two = self.two_counters()
        self.wrong = {"called current": 0, "rebuilt": 0, "other": 0}
        version = self.random.choice((None, "1.0"))
        self.world = World({cuda: self.random.choice(LISTS) for cuda in CUDAS},
                           {"alpha": Package(version=version), "beta": Package(archs="8.0;9.0"),
                            "gamma": Package(one_file=True)})
        os.makedirs(f"{folder}/farm/packages")
        self.git("init", "-q", ".")
        for _ in range(self.random.choice((0, 0, 1, 2))):
            self.world.farm_bumps.append("all")
        for package in self.world.packages.values():
            package.bumps += ["all"] * self.random.choice((0, 0, 0, 2))
        self.start()

    # The files of the farm, and the program.
    def git(self, *arguments):
        subprocess.run(["git", "-C", f"{self.folder}/farm", *arguments], check=True, stdout=subprocess.DEVNULL)

    def write(self, lowered=None):
        world = self.world

        def bumps(events, first):
            said = {number: kind for number, kind in enumerate(events, first) if kind != "wordless"}
            body = ", ".join(f"{n}: {{why: \"step {n}\", rebuild: {kind}}}" for n, kind in said.items())
            return f"bumps: {{{body}}}\n" if said else ""
        epoch = len(world.farm_bumps) + 1 - (1 if lowered == "farm" else 0)
        rows = "".join(f'  - {{cuda: "{c}", pytorch: "2.9.0", python_versions: ["3.11", "3.12"]}}\n' for c in CUDAS)
        policy = "".join(f'  "{c}": "{l}"\n' for c, l in world.rows.items())
        self.put("_defaults.yml", f"build_epoch: {epoch}\n{bumps(world.farm_bumps[:epoch - 1], 2)}combinations:\n{rows}"
                                  f"platforms: [linux]\nptx_tail: false\narch_policy:\n{policy}")
        for name, package in world.packages.items():
            path = f"{self.folder}/farm/packages/{name}.yml"
            if not package.there:
                if os.path.exists(path):
                    os.remove(path)
                continue
            own = len(package.bumps) - (1 if lowered == name else 0)
            text = f"name: {name}\nsource_repo: example-org/{name}\nsource_tag: {package.ref}\n"
            text += f'version: "{package.version}"\n' if package.version else ""
            text += f'arch_list: "{package.archs}"\n' if package.archs else ""
            text += f"build_epoch: {own}\n{bumps(package.bumps[:own], 1)}" if own else ""
            self.put(f"{name}.yml", text)

    def put(self, name, text):
        with open(f"{self.folder}/farm/packages/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, *arguments, expect=(0,)):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode not in expect:
            raise Differs(f"exit {done.returncode} of {' '.join(arguments)}:\n{done.stdout}{done.stderr}")
        return done

    def assets(self):
        found = []
        for name, (file, young) in self.world.assets.items():
            found.append({"name": name, "state": "uploaded", "size": 1, "digest": "sha256:" + file,
                          "updated_at": "2999-01-01T00:00:00Z" if young else "2025-01-01T00:00:00Z"})
        with open(f"{self.folder}/assets.json", "w", encoding="utf-8") as out:
            json.dump({"assets": found}, out)

    # What is there at the start: recorded, recorded by one counter, inferred, or only published.
    def start(self):
        self.write()
        entries = []
        for package, cuda, python, name in self.cells():
            if name in self.world.assets or self.random.random() < 0.1:
                continue
            self.world.assets[name] = (self.new_file(), False)
            kind = self.random.choice(("two", "two", "one", "inferred", "none"))
            if kind == "none":
                continue
            own = self.world.packages[package]
            record = Record(len(self.world.farm_bumps), len(own.bumps), kind == "one", self.world.archs(package, cuda),
                            own.ref, self.world.assets[name][0], self.clock, kind == "inferred")
            number = len(own.bumps) or len(self.world.farm_bumps) + 1
            if kind == "one" and own.bumps and number < len(self.world.farm_bumps) + 1:
                number = len(self.world.farm_bumps) + 1  # a package could not be behind its farm then
            if kind == "inferred":
                record.archs = record.ref = None
                record.seen_farm = record.seen_own = 0
            self.world.records[name] = record
            entries.append(self.entry(package, cuda, python, name, record, number if kind == "one" else None))
        if entries:
            self.collect(entries)

    def new_file(self):
        self.count += 1
        return hashlib.sha256(f"{self.count}".encode()).hexdigest()

    def cells(self):
        for name, package in self.world.packages.items():
            for cuda in CUDAS if package.there else ():
                for python in PYTHONS:
                    yield name, cuda, python, file_name(name, package.version, cuda, python, package.one_file)

    def entry(self, package, cuda, python, name, record, number):
        own = self.world.packages[package]
        if number is None and not self.two:  # a program from before there were two
            number = len(own.bumps) or record.seen_farm + 1
        entry = {
            "schema": 2, "provenance": "inferred" if record.inferred else "recorded", "package": package,
            "version": own.version or "1.0",
            "cell": {"cuda": cuda, "pytorch": "2.9", "python": python, "platform": "linux"},
            "arch_list": record.archs, "archs": {"sass": ["sm_80"], "ptx": []}, "build_epoch": record.seen_farm + 1,
            "package_epoch": record.seen_own, "epoch_why": None, "exists_key": None, "defaults_sha256": None,
            "expected": None, "source": {"repo": None, "ref": record.ref, "commit": None}, "run": None,
            "toolchain": {"nvcc": None, "cuobjdump": None, "wheelarch": "0.1.0"}, "witnesses": ["native"],
            "members": [{"path": "a.so", "role": "extension", "sha256": record.file, "size": 1, "sass": ["sm_80"],
                         "ptx": []}],
            "wheel": {"filename": name, "sha256": record.file, "size": 1},
            "recorded_at": "2026-{:02}-{:02}T{:02}:{:02}:00Z".format(
                1 + self.time(record) // 40320, 1 + self.time(record) // 1440 % 28, self.time(record) // 60 % 24,
                self.time(record) % 60)}
        if number is not None:
            entry.update(schema=1, build_epoch=number)
            del entry["package_epoch"], entry["epoch_why"]
        return entry

    @staticmethod
    def time(record):
        return record.gated

    def collect(self, entries, refused=0):
        shutil.rmtree(f"{self.folder}/entries", ignore_errors=True)
        os.makedirs(f"{self.folder}/entries")
        for number, entry in enumerate(entries):
            with open(f"{self.folder}/entries/{number}.ledger.json", "w", encoding="utf-8") as out:
                json.dump(entry, out)
        self.run("ledger", "collect", "entries", "--farm", "farm", "--replace", expect=(1,) if refused else (0,))

    # One step.
    def step(self):
        self.clock += 7
        for name, (file, _) in self.world.assets.items():
            if self.random.random() < 0.5:
                self.world.assets[name] = (file, False)
        what = self.random.choice(("bump", "bump", "own bump", "edit", "source", "run", "run", "run", "run rebuild",
                                   "late", "late", "carry", "carry", "go", "by hand", "lower", "again"))
        self.log.append(what)
        getattr(self, "do_" + what.replace(" ", "_"))()
        self.write()
        self.compare()

    def some(self):
        return self.random.choice([name for name, package in self.world.packages.items()])

    def edit(self, package=None):
        if package and self.world.packages[package].archs:
            self.world.packages[package].archs = self.random.choice(LISTS)
        else:
            self.world.rows[self.random.choice(CUDAS)] = self.random.choice(LISTS)

    def do_bump(self):
        kind = self.random.choice(("all", "lists", "lists", "wordless"))
        self.world.farm_bumps.append(kind)
        if self.random.random() < 0.6:
            self.edit()

    def do_own_bump(self):
        package = self.some()
        self.world.packages[package].bumps.append(self.random.choice(("all", "lists", "wordless")))
        if self.random.random() < 0.6:
            self.edit(package)

    def do_edit(self):
        self.edit(self.some())

    def do_source(self):
        package = self.world.packages[self.some()]
        package.ref = f"v{self.random.randint(1, 4)}.0"
        if package.version and self.random.random() < 0.5:
            package.version = f"{self.random.randint(1, 2)}.0"

    def do_run(self, *options):
        self.assets()
        self.run("matrix", "--farm", "farm", "--existing", "assets.json", "--output", "m.json", *options)
        with open(f"{self.folder}/m.json", encoding="utf-8") as file:
            rows = json.load(file)["linux"]["include"]
        done = []
        for row in rows:
            package = self.world.packages[row["package"]]
            name = file_name(row["package"], package.version, row["cuda"], row["python"], package.one_file)
            record = Record(len(self.world.farm_bumps), len(package.bumps), False, row["arch_list"], row["source_tag"],
                            self.new_file(), self.clock)
            job = (name, record, self.entry(row["package"], row["cuda"], row["python"], name, record, None))
            fate = self.random.choice(("fails", "done", "done", "late", "not collected"))
            if fate == "done":
                done.append(job)
            elif fate == "not collected":
                self.world.assets[name] = (record.file, self.random.random() < 0.5)
                self.pending.append(job)
            elif fate == "late":
                self.pending.append(job)
        self.land(done)

    def do_run_rebuild(self):
        self.do_run(*(["--rebuild-replaced"] if self.two else []))

    def two_counters(self):
        return "--rebuild-replaced" in subprocess.run([self.program, "matrix", "--help"], capture_output=True, text=True,
                                                      check=False).stdout

    def land(self, jobs):
        """The wheels are uploaded, and their entries collected in one commit."""
        by_name = {}
        for name, record, entry in jobs:
            by_name.setdefault(name, []).append((record, entry))
        entries, refused = [], 0
        for name, builds in by_name.items():
            record, entry = builds[-1]
            self.world.assets[name] = (record.file, False)
            entries.append(entry)
            if self.world.takes(name, record):
                self.world.records[name] = record
            else:
                refused += 1
        if entries:
            self.collect(entries, refused)

    def do_late(self):
        self.random.shuffle(self.pending)
        count = self.random.randint(0, len(self.pending))
        jobs, self.pending = self.pending[:count], self.pending[count:]
        self.land(jobs)

    def do_carry(self):
        self.assets()
        self.run("plan", "--farm", "farm", "--existing", "assets.json", "--changed-only")
        carried = {(package, name) for package, cuda, _, name in self.cells()
                   if self.world.carries(package, cuda, name)}
        for package, name in carried:
            self.world.carry(package, name)

    def do_go(self):
        package = self.world.packages[self.some()]
        if package.there and sum(one.there for one in self.world.packages.values()) == 1:
            return
        package.there = not package.there

    def do_by_hand(self):
        if self.world.assets:
            name = self.random.choice(sorted(self.world.assets))
            if self.random.random() < 0.7:
                self.world.assets[name] = (self.new_file(), self.random.random() < 0.3)
            else:
                del self.world.assets[name]

    def do_again(self):
        """An upload that was by hand is put right: the recorded file is there again."""
        for name, record in self.world.records.items():
            if self.random.random() < 0.3 and not record.inferred:
                self.world.assets[name] = (record.file, False)

    def do_lower(self):
        """An epoch is lowered that the ledger has seen: refused, by each command that would go by it."""
        world = self.world
        for who in ("farm", *world.packages):
            events = world.farm_bumps if who == "farm" else world.packages[who].bumps
            known = [self.highest(name, who) for name in world.records if who in ("farm", name.split("-")[0])]
            there = who == "farm" or world.packages[who].there
            if events and there and max(known, default=0) >= len(events):
                self.write(lowered=who)
                self.assets()
                for command in (("matrix", "--output", "m.json"), ("plan",)):
                    self.run(*command, "--farm", "farm", "--existing", "assets.json", expect=(2,))
                return

    def highest(self, name, who):
        record, package = self.world.records[name], name.split("-")[0]
        if record.one_counter and (self.world.packages[package].bumps or not self.world.packages[package].there):
            return 0
        return record.seen_farm if who == "farm" else record.seen_own

    def compare(self):
        self.assets()
        world = self.world
        self.run("plan", "--farm", "farm", "--existing", "assets.json", "--json", "plan.json", "--changed-only",
                 "--dry-run")
        with open(f"{self.folder}/plan.json", encoding="utf-8") as file:
            planned = {(c["package"], c["cuda"], c["python"]): c for c in json.load(file)["cells"]
                       if c["state"] != "orphan"}
        self.run("matrix", "--farm", "farm", "--existing", "assets.json", "--output", "m.json")
        with open(f"{self.folder}/m.json", encoding="utf-8") as file:
            rows = json.load(file)["linux"]["include"]
        jobs = []
        for row in rows:
            own = world.packages[row["package"]]
            jobs.append(file_name(row["package"], own.version, row["cuda"], row["python"], own.one_file))
        wrong = []
        for package, cuda, python, name in self.cells():
            cell = planned[(package, cuda, python)]
            expected = world.state(package, cuda, name)
            if cell["state"] != expected:
                kind = "called current" if cell["state"] == "current" else "rebuilt" if expected == "current" else "other"
                wrong.append((kind, name, cell["state"], expected))
            elif cell["carry"] != world.carries(package, cuda, name):
                wrong.append(("called current" if cell["carry"] else "rebuilt", name, f"carry {cell['carry']}", ""))
            elif (name in jobs) != world.builds(package, cuda, name) and not (
                    world.packages[package].one_file and expected == "missing"):
                wrong.append(("called current" if name not in jobs else "rebuilt", name, "job", expected))
        one_file = [name for name in jobs if "py3-none" in name and name in world.assets]
        if len(one_file) != len(set(one_file)):
            wrong.append(("other", "one file", "several jobs", ""))
        for kind, *_ in wrong:
            self.wrong[kind] += 1
        if wrong:
            raise Differs("; ".join(" ".join(one) for one in wrong))


def main():
    program, years = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 14
    failed, total, states = 0, {"called current": 0, "rebuilt": 0, "other": 0}, 0
    for seed in range(first, first + years):
        with tempfile.TemporaryDirectory(prefix="year-") as folder:
            year = None
            try:
                year = Year(program, seed, folder)
                for _ in range(steps):
                    year.step()
                    states += 1
            except Differs as difference:
                failed += 1
                print(f"year {seed}, after {', '.join(year.log) if year else 'nothing'}: {difference}")
            for kind, number in (year.wrong if year else {}).items():
                total[kind] += number
    print(f"{years} years, {states} states compared: {failed} years differ; {total['called current']} wheels called "
          f"current that are not, {total['rebuilt']} rebuilt that are current, {total['other']} other differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
