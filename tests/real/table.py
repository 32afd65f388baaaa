#!/usr/bin/env python3
"""Writes docs/real-wheels.md: what wheelarch and cuobjdump see in published wheels, and how long each takes.

    table.py --wheelarch BIN --wheels DIR --output FILE --cuobjdump BIN... [--fallback BIN]

The wheels are those of wheels.tsv (fetch.py downloads them). Each --cuobjdump is asked about every member, as
compare.py does; --fallback, an older one, about the members that all of these refuse. Exit 1 if any list differs.
Standard library only.
"""

import argparse
import collections
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree
import compare  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
INTRO = """\
# Real wheels

What wheelarch and NVIDIA's cuobjdump see in published wheels, image by image: kind, arch and suffix of every image of
every member, in file order. `tests/real/table.py` writes this page; `tests/real/wheels.tsv` holds the hash of each
wheel. CI repeats the comparison on two small wheels (`tests/real/two_small.sh`).

Two differences are no disagreement, since cuobjdump names the cubin and not the entry that holds it: it leaves the suffix
`f` off SASS, and it adds an `a` to tile kernels ([formats](formats.md#what-cuobjdump-says)).

- **members**: those with device code, and in brackets how many of them count as vendored and are left out of a verdict.
- **images**: SASS and PTX, and in brackets how many hold no kernel.
- **native**: seconds for the whole wheel, inflating its members included (`inspect --witness native`).
- **cuobjdump**: seconds for its lists of all members, which had been unpacked for it. "equal" means every image of
  every member. "refuses N" counts members that it gives up on, with "Invalid ELF"; the images that it lists before
  that are equal. These hold cubins of CUDA 12.0 or 12.1, which cuobjdump 13 does not read.

Times are of one run on a shared machine: compare them with each other only.
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheelarch", required=True)
    parser.add_argument("--wheels", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--cuobjdump", required=True, nargs="+")
    parser.add_argument("--fallback")
    return parser.parse_args()


def version(cuobjdump):
    text = subprocess.run([cuobjdump, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r", V([0-9.]+)", text)[1]


def native_seconds(wheelarch, wheel):
    start = time.monotonic()
    command = [wheelarch, "inspect", "--witness", "native", wheel]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def with_code(members):
    return [member for member in members.values() if member["role"] != "host"]


def braces(member):
    """`{80,90+PTX}`, as the text report writes it."""
    sass = [arch.removeprefix("sm_") for arch in member["sass"]]
    ptx = [arch.removeprefix("compute_") for arch in member["ptx"]]
    items = [arch + ("+PTX" if arch in ptx else "") for arch in sass] + ["ptx" + arch for arch in ptx if arch not in sass]
    return "{" + " ".join(items) + "}" if items else "no kernel"


def arch_sets(members):
    """The distinct arch sets, each with the number of members that have it."""
    counted = collections.Counter(braces(member) for member in members)
    return ", ".join(f"{archs}×{count}" if len(members) > 1 else archs for archs, count in counted.most_common())


def image_counts(members):
    images = [image for member in members for image in member["images"] if image["kind"] in ("sass", "ptx")]
    kernelless = sum(image["kernelless"] for image in images)
    return f"{len(images):,}" + (f" ({kernelless:,})" if kernelless else "")


class Asked:
    """What one cuobjdump says of one wheel."""

    def __init__(self, comparisons):
        self.comparisons = list(comparisons)
        self.seconds = sum(one.seconds for one in self.comparisons)
        self.refused = {one.path for one in self.comparisons if one.refusal and not one.difference}
        self.different = [one for one in self.comparisons if one.difference]

    def cell(self):
        if self.different:
            return f"**differs** in {', '.join(one.path for one in self.different)}"
        if not self.comparisons:
            return "not asked"
        verdict = f"refuses {len(self.refused)}" if self.refused else "equal"
        return f"{verdict}, {self.seconds:.1f} s"


def row(options, wheel, folder):
    members = compare.ask_wheelarch(options.wheelarch, wheel, folder)
    own = with_code(members)
    vendored = sum(member["role"] == "vendored" for member in own)
    asked = [Asked(compare.compare_wheel(wheel, members, program, folder)) for program in options.cuobjdump]
    refused = set.intersection(*(one.refused for one in asked))
    if options.fallback:
        asked.append(Asked(compare.compare_wheel(wheel, members, options.fallback, folder, refused) if refused else []))
        if refused:
            unread = asked[-1].refused
            if unread:
                raise SystemExit(f"table.py: no cuobjdump reads {wheel}: {', '.join(sorted(unread))}")
    cells = [
        f"`{os.path.basename(wheel)}`",
        f"{os.path.getsize(wheel) / 1e6:.0f} MB",
        f"{len(own)}" + (f" ({vendored})" if vendored else ""),
        image_counts(own),
        arch_sets(own),
        f"{native_seconds(options.wheelarch, wheel):.1f} s",
    ] + [one.cell() for one in asked]
    return cells, any(one.different for one in asked)


def main():
    options = arguments()
    with open(os.path.join(HERE, "wheels.tsv"), encoding="utf-8") as file:
        names = [line["file"] for line in csv.DictReader(file, delimiter="\t")]
    programs = options.cuobjdump + ([options.fallback] if options.fallback else [])
    header = ["wheel", "size", "members", "images", "arch sets", "native"]
    header += [f"cuobjdump {version(program)}" for program in programs]
    lines = [header, ["---"] * len(header)]
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            cells, different = row(options, os.path.join(options.wheels, name), folder)
            differs = differs or different
            lines.append(cells)
            print(" | ".join(cells), flush=True)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(INTRO + "\n")
        file.writelines("| " + " | ".join(line) + " |\n" for line in lines)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
