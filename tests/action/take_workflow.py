#!/usr/bin/env python3
"""take_workflow.py WORKFLOW.yml <PYTHON >WORKFLOW

A workflow as act runs it on this machine, in which as little as possible is replaced: artifacts are folders in $ARTIFACTS,
the action is the one of the repository at hand, there are no containers, and $KEPT runs the scripts. The Python then changes
what it must of `jobs`; `step(JOB, NAME)` is a step by its id or name.
"""
import json
import os
import sys

from ruamel.yaml import YAML

UPLOAD = """\
mkdir -p "$ARTIFACTS/$NAME"
for path in $FILES; do
  [ ! -d "$path" ] || path=$path/.
  cp -r "$path" "$ARTIFACTS/$NAME/"
done
"""
DOWNLOAD = """\
mkdir -p "$INTO"
for folder in "$ARTIFACTS"/$WANTED; do
  [ -d "$folder" ] || continue
  [ "$MERGED" = false ] || folder=$folder/.
  cp -r "$folder" "$INTO/"
done
"""


def replaced(step):
    uses, given = step.get("uses", ""), step.get("with", {})
    if uses.startswith("actions/upload-artifact@"):
        assert given["if-no-files-found"] == "error", given
        return run(step, UPLOAD, {"NAME": given["name"], "FILES": given["path"]})
    if uses.startswith("actions/download-artifact@"):
        merged = "name" in given or given.get("merge-multiple", False)
        wanted = {"WANTED": given.get("name", given.get("pattern")), "INTO": given.get("path", ".")}
        return run(step, DOWNLOAD, wanted | {"MERGED": json.dumps(merged)})
    if uses.startswith("example-org/wheelarch@"):
        return step | {"uses": "./"}
    return step


def run(step, script, environment):
    kept = {key: value for key, value in step.items() if key not in ("uses", "with")}
    return kept | {"run": script, "env": environment}


with open(sys.argv[1], encoding="utf-8") as file:
    workflow = YAML(typ="safe").load(file)
jobs = workflow["jobs"]
for job in jobs.values():
    job.pop("container", None)
    job["steps"] = [replaced(step) for step in job["steps"]]
    for step in job["steps"]:
        if "run" in step:
            step["shell"] = os.environ["KEPT"] + " bash -e {0}"


def step(job, name):
    return next(s for s in jobs[job]["steps"] if name in (s.get("id"), s.get("name")))


exec(sys.stdin.read())  # the scenario's own
# Whatever starts it: push, workflow_dispatch with its inputs, and pull_request.
started = {"push": None, "pull_request": None, "workflow_dispatch": (workflow["on"] or {}).get("workflow_dispatch")}
print(json.dumps({"name": workflow["name"], "on": started, "jobs": jobs}))
