#!/usr/bin/env python3
"""wheelarch lint over the sources of published packages: lint_packages.py WHEELARCH FOLDER [NAME...]

lint_packages.tsv says which, and with which arch list. Each source archive is downloaded from the index that pip asks, by name and
version, into FOLDER, unpacked there, and looked at; what is there is not downloaded again. Prints the counts of
docs/lint-real-packages.md, a row a package; FOLDER/NAME.json holds the findings. Exit 75: the index could not be asked. Needs pip.
"""

import collections
import csv
import html.parser
import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request

NOT_DOWNLOADED = 75
HERE = os.path.dirname(os.path.abspath(__file__))
OF_POLICY = {"compress-mode", "stale-ignore"}  # rules that ask nothing of sources


def index():
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True)
    if os.environ.get("PIP_INDEX_URL") or asked.stdout.strip():
        return os.environ.get("PIP_INDEX_URL") or asked.stdout.strip()
    from pip._internal.models.index import PyPI  # where pip asks if nothing is said

    return PyPI.simple_url


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if tag == "a" and name == "href" and value]


def download(row, path):
    page = urllib.parse.urljoin(index().rstrip("/") + "/", re.sub(r"[-_.]+", "-", row["name"]).lower() + "/")
    links = Links()
    with urllib.request.urlopen(page, timeout=120) as answer:
        links.feed(answer.read().decode())
    stem = re.sub(r"[-_.]+", "-", f"{row['name']}-{row['version']}").lower()
    for link in links.found:
        name = os.path.basename(urllib.parse.urlsplit(link).path)
        if name.endswith(".tar.gz") and re.sub(r"[-_.]+", "-", name[: -len(".tar.gz")]).lower() == stem:
            urllib.request.urlretrieve(urllib.parse.urljoin(page, link), path + ".part")
            os.rename(path + ".part", path)
            return
    raise OSError(f"the index has no source archive of {row['name']} {row['version']}")


def unpack(archive, folder):
    with tarfile.open(archive) as tar:
        for member in tar:
            member.name = member.name.partition("/")[2]
            if member.isfile() and member.name and ".." not in member.name.split("/"):
                tar.extract(member, folder)


def farm(folder, name, row):
    os.makedirs(f"{folder}/packages", exist_ok=True)
    with open(f"{folder}/packages/_defaults.yml", "w", encoding="utf-8") as file:
        file.write(f'combinations:\n  - {{cuda: "{row["cuda"]}", pytorch: "2.8.0", python_versions: ["3.12"]}}\n')
        file.write(f'arch_policy: {{"{row["cuda"]}": "8.0"}}\nptx_tail: false\n')
    with open(f"{folder}/packages/{name}.yml", "w", encoding="utf-8") as file:
        file.write(f'source_repo: example-org/{name}\nversion: "{row["version"]}"\nexpect_archs: "{row["arch_list"]}"\n')


def look_at(program, base, row):
    name = row["name"].lower().replace("-", "_")
    archive, tree = f"{base}/{name}-{row['version']}.tar.gz", f"{base}/{name}-{row['version']}"
    if not os.path.exists(archive):
        download(row, archive)
    if not os.path.exists(tree):
        unpack(archive, tree + ".part")
        os.rename(tree + ".part", tree)
    sources = f"{base}/sources/{name}"
    os.makedirs(sources, exist_ok=True)
    if not os.path.islink(f"{sources}/{name}"):
        os.symlink(os.path.normpath(os.path.join(tree, row["folder"])), f"{sources}/{name}")
    farm(f"{base}/farm/{name}", name, row)
    command = [program, "lint", name, "--farm", f"{base}/farm/{name}", "--sources", sources, "--json", f"{base}/{name}.json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(f"lint_packages.py: {name}: exit code {run.returncode}\n{run.stderr}")
    with open(f"{base}/{name}.json", encoding="utf-8") as file:
        return json.load(file)["packages"][0]


def rules(program):
    run = subprocess.run([program, "lint", "--explain", "all"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in run.stdout.splitlines() if line.split()[0] not in OF_POLICY]


def main(argv):
    if len(argv) < 3:
        raise SystemExit(__doc__)
    program, base, names = argv[1], os.path.abspath(argv[2]), argv[3:]
    os.makedirs(base, exist_ok=True)
    with open(os.path.join(HERE, "lint_packages.tsv"), encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if not names or row["name"] in names]
    columns = rules(program)
    print("| package | files | MB | " + " | ".join(columns) + " |")
    print("| --- " * (3 + len(columns)) + "|")
    for row in rows:
        try:
            seen = look_at(program, base, row)
        except OSError as error:
            print(f"lint_packages.py: {row['name']}: {error}", file=sys.stderr)
            raise SystemExit(NOT_DOWNLOADED) from error
        count = collections.Counter(finding["rule"] for finding in seen["findings"])
        cells = [f"`{row['name']}` {row['version']}", f"{seen['files']:,}", f"{seen['bytes'] / 1e6:.1f}"]
        print("| " + " | ".join(cells + [str(count[rule]) if count[rule] else "" for rule in columns]) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv)
