#!/usr/bin/env python3
"""Checks the workflow steps in the documentation: the ```yaml blocks that use the action.

    steps.py ROOT WHEELARCH ACTIONLINT

Each block is made a workflow (a list of steps becomes a job, jobs get what they are said to need) in a repository that has
the action as a local one, so that actionlint knows its inputs and outputs. Then each step of the action is run, as action.yml
runs the program, in a folder with what such a step finds: the farm of the examples, a wheel in dist/, its entry in entries/
and uploaded/. No step may be bad usage (exit 2) or without a result (exit 3). What would be asked of GitHub or fetched
(`existing`, `sources`) is given; a step for the releases (`audit` without wheels) is only looked at by actionlint.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from ruamel.yaml import YAML

BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USES = re.compile(r"example-org/wheelarch@[0-9a-f]{40}$")
ROW = {"package": "example_pkg", "cuda": "13.0", "pytorch": "2.9", "python": "3.12", "platform": "linux", "arch_list": "8.0+PTX"}
GIVEN = {"key": {"existing": "assets"}, "matrix": {"existing": "assets", "sources": "sources"}, "lint": {"sources": "sources"}}


def blocks(root):
    names = ["README.md", *(f"docs/{name}" for name in sorted(os.listdir(os.path.join(root, "docs"))) if name.endswith(".md"))]
    for name in names:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        for match in BLOCK.finditer(text):
            if "uses: example-org/wheelarch@" in match[1]:
                yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}", YAML(typ="safe").load(match[1])


def workflow(block):
    """The workflow of which the block shows a part."""
    if isinstance(block, list):
        block = {"steps": block}
    if "steps" in block:
        block = {"jobs": {"job": {"runs-on": "ubuntu-24.04", **block}}}
    if "jobs" not in block:
        block = {"jobs": block}
    jobs = block["jobs"]
    for job in list(jobs.values()):
        job.setdefault("runs-on", "ubuntu-24.04")
        job.setdefault("strategy", {"matrix": {"include": [ROW]}}) if "matrix." in json.dumps(job) else None
        for needed in [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", []):
            jobs.setdefault(needed, {"runs-on": "ubuntu-24.04", "steps": [{"run": "true"}]})
    return {"name": "example", "on": "push", **block}


def steps(made):
    for job in made["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("example-org/wheelarch@"):
                yield step


def make_repository(root, wheelarch, folder):
    shutil.copytree(os.path.join(root, "docs/example-farm"), folder, dirs_exist_ok=True)
    shutil.copy(os.path.join(root, "action.yml"), folder)
    wheel = next(name for name in sorted(os.listdir(os.path.join(folder, "before"))) if name.endswith(".whl"))
    for name in ("dist", "entries", "uploaded"):
        os.mkdir(os.path.join(folder, name))
    shutil.copy(os.path.join(folder, "before", wheel), os.path.join(folder, "dist"))
    with open(os.path.join(folder, "packages/example_pkg.yml"), "a", encoding="utf-8") as file:
        file.write("lint_ignore: [{rule: arch-gate, reason: the host asks first}]\n")
    open(os.path.join(folder, "assets"), "w", encoding="utf-8").close()
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run([wheelarch, "gate", "--arch-list", "8.0+PTX", "dist"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name in ("entries", "uploaded"):
        shutil.copy(os.path.join(folder, "dist", wheel + ".ledger.json"), os.path.join(folder, name))
    subprocess.run([wheelarch, "ledger", "collect", "entries"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def lint(actionlint, folder, place, made):
    local = json.loads(json.dumps(made))
    for step in steps(local):
        step["uses"] = "./"
    path = os.path.join(folder, ".github/workflows/example.yml")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(local, file, indent=1)
    answer = subprocess.run([actionlint, "-no-color", "-shellcheck=", path], cwd=folder, capture_output=True, text=True, check=False)
    return [f"{place}: {line}" for line in answer.stdout.splitlines() if ": " in line and line.startswith(".github")]


def defaults(root):
    with open(os.path.join(root, "action.yml"), encoding="utf-8") as file:
        inputs = YAML(typ="safe").load(file)["inputs"]
    return {name: "" if "${{" in entry.get("default", "") else entry.get("default", "") for name, entry in inputs.items()}


def run(root, wheelarch, folder, place, step):
    given = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in step["with"].items()}
    command = given.get("command", "gate")
    if command in ("audit", "backfill") and not given.get("wheels"):
        return []
    inputs = defaults(root) | GIVEN.get(command, {}) | given
    inputs["matrix"] = re.sub(r"\$\{\{ toJSON\(matrix\) \}\}", json.dumps(ROW), inputs["matrix"])
    inputs["arch-list"] = re.sub(r".+", "8.0+PTX", inputs["arch-list"])
    if command == "matrix" and inputs["lint"] != "true":
        inputs["sources"] = ""
    environment = os.environ | {"WHEELARCH_INPUTS": json.dumps(inputs), "RUNNER_TEMP": os.path.join(folder, "temp"),
                                "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": os.path.join(folder, "outputs"),
                                "GITHUB_STEP_SUMMARY": os.path.join(folder, "summary")}
    os.makedirs(environment["RUNNER_TEMP"], exist_ok=True)
    answer = subprocess.run([wheelarch, "action"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return [] if answer.returncode in (0, 1) else [f"{place}: exit {answer.returncode} with {given}\n{answer.stdout}{answer.stderr}"]


def main(root, wheelarch, actionlint):
    problems, count = [], 0
    for place, block in blocks(root):
        made = workflow(block)
        with tempfile.TemporaryDirectory() as folder:
            make_repository(root, wheelarch, folder)
            problems += lint(actionlint, folder, place, made)
            for step in steps(made):
                count += 1
                problems += [] if USES.match(step["uses"]) else [f"{place}: {step['uses']}: not pinned to a commit"]
                problems += run(root, wheelarch, folder, place, step)
    print("\n".join(problems) or f"{count} steps")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
