"""A model of docs/policy.md: which wheels are current, told from what happened and not by counting.

Every bump is an event. A wheel has seen the events that had happened when its build began; a plan that carried it
forward lets it have seen those until then. Nothing here knows of numbers, keys, entries or files.
"""
from dataclasses import dataclass, field


@dataclass
class Package:
    archs: str | None = None  # its own list; None: the farm's row counts
    ref: str = "v1.0"
    version: str | None = None
    one_file: bool = False  # its wheel is one file for every Python
    bumps: list = field(default_factory=list)  # each "all", "lists" or "wordless", which is all
    there: bool = True


@dataclass
class Record:
    seen_farm: int = 0
    seen_own: int = 0
    one_counter: bool = False  # written before there were two counters
    archs: str | None = None  # None: nobody knows
    ref: str | None = None
    file: str = ""  # the bytes, as it were
    gated: int = 0  # when
    inferred: bool = False


@dataclass
class World:
    rows: dict  # CUDA line to arch list
    packages: dict
    farm_bumps: list = field(default_factory=list)
    records: dict = field(default_factory=dict)  # by file name
    assets: dict = field(default_factory=dict)  # file name to (file, young)

    def archs(self, package, cuda):
        return self.packages[package].archs or self.rows[cuda]

    def seen(self, package, record):
        if record is None or record.inferred or (record.one_counter and self.packages[package].bumps):
            return 0, 0
        return record.seen_farm, record.seen_own

    def missed(self, package, record):
        farm, own = self.seen(package, record)
        return self.farm_bumps[farm:] + self.packages[package].bumps[own:]

    def other_source(self, package, record):
        return bool(record and record.ref and not record.inferred and record.ref != self.packages[package].ref)

    def state(self, package, cuda, name):
        """The state of a cell whose wheel has this file name."""
        if name not in self.assets:
            return "missing"
        record, (file, _) = self.records.get(name), self.assets[name]
        if record and record.file != file:
            return "replaced"
        if self.missed(package, record) or self.other_source(package, record):
            return "stale"
        known = record and record.archs
        return "drifted" if known and set(record.archs.split(";")) != set(self.archs(package, cuda).split(";")) else "current"

    def builds(self, package, cuda, name, replaced=False):
        state = self.state(package, cuda, name)
        return state in ("missing", "stale") or (state == "replaced" and replaced and not self.assets[name][1])

    def carries(self, package, cuda, name):
        record = self.records.get(name)
        return (self.state(package, cuda, name) == "stale" and bool(record and record.archs)
                and not self.other_source(package, record)
                and set(record.archs.split(";")) == set(self.archs(package, cuda).split(";"))
                and all(kind == "lists" for kind in self.missed(package, record)))

    def carry(self, package, name):
        record = self.records[name]
        record.seen_farm, record.seen_own = len(self.farm_bumps), len(self.packages[package].bumps)
        record.one_counter = False

    def takes(self, name, new):
        """May this record take the place of what is there? It never goes back in time."""
        old = self.records.get(name)
        if old is None or old.inferred:
            return True
        back = new.seen_farm < old.seen_farm or new.seen_own < old.seen_own or new.gated < old.gated
        return not back
