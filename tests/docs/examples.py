#!/usr/bin/env python3
"""Runs the examples of the documentation and compares what they print with what the page shows.

    examples.py [--update] ROOT WHEELARCH CUOBJDUMP

A ```console block is one shell session: lines that begin with `$ ` are typed (a `\\` at the end continues one), the rest is
output, standard error included. It is run if one of its commands begins with `wheelarch` or `dist/linux-x64/wheelarch`, in
a folder of the page's own with copies of tests/example and docs/example-farm, with the program under test under both
names and that cuobjdump on PATH. Of a ```sh block the lines that begin so are run too; they only must not be bad usage (exit 2), since their
wheels are the reader's own. What no two runs print alike (STEADY below) is shown as one fixed text.
--update writes into the pages what was printed. Standard library only.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(dist/linux-x64/)?wheelarch ")
MARK = "<end of output>"
STEADY = [  # times, and the commits that depend on them
    (r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-01-31T12:00:00Z"),
    (r"\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC", "2026-01-31 12:00:00 UTC"),
    (r'("time": )\d{10}\b', r"\g<1>1769860800"),
    (r'(\bcommit |"commit": ")[0-9a-f]{40}\b', r"\g<1>0123456789abcdef0123456789abcdef01234567"),
    (r"( at )[0-9a-f]{12}\b", r"\g<1>0123456789ab"),
]


def pages(root):
    folder = os.path.join(root, "docs")
    names = [os.path.join("docs", name) for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    return [name for name in ["README.md", "CONTRIBUTING.md", *names, "tests/example/README.md"]
            if os.path.exists(os.path.join(root, name))]


def commands(block):
    """The commands of a console block, each as it stands after `$ `, continuation lines included."""
    found, open_line = [], False
    for line in block.splitlines():
        if open_line:
            found[-1] += "\n" + line
        elif line.startswith("$ "):
            found.append(line[2:])
        else:
            continue
        open_line = line.endswith("\\")
    return found


def steady(output):
    for pattern, text in STEADY:
        output = re.sub(pattern, text, output)
    return output


class Sandbox:
    """A folder that looks like a checkout to a reader of the documentation."""

    def __init__(self, root, wheelarch, cuobjdump):
        self.folder = tempfile.mkdtemp()
        for name in ("tests/example", "docs/example-farm"):
            shutil.copytree(os.path.join(root, name), os.path.join(self.folder, name))
        for name in ("dist/linux-x64/wheelarch", "bin/wheelarch"):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path))
            os.symlink(wheelarch, path)
        os.symlink(cuobjdump, os.path.join(self.folder, "bin/cuobjdump"))
        self.environment = {
            "PATH": f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin",
            "HOME": self.folder,
            "LC_ALL": "C.UTF-8",
        }

    def remove(self):
        shutil.rmtree(self.folder)

    def run(self, script):
        command = ["bash", "-c", script]
        answer = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return answer.returncode, answer.stdout

    def session(self, typed):
        """What each command prints when all are typed into one shell; `$?` is kept from one to the next."""
        script = "".join(f"{command}\nstatus=$?; echo '{MARK}'; (exit $status)\n" for command in typed)
        outputs = self.run(script)[1].split(MARK + "\n")
        if len(outputs) != len(typed) + 1 or outputs[-1]:
            raise SystemExit(f"examples.py: a session ended early: {typed}")
        return [steady(output) for output in outputs[:-1]]


def console(sandbox, block):
    typed = commands(block)
    if not any(PROGRAM.match(command) for command in typed):
        return block
    outputs = sandbox.session(typed)
    return "".join(f"$ {command}\n{output}" for command, output in zip(typed, outputs))


def shell(sandbox, block):
    for line in block.replace("\\\n", " ").splitlines():
        if PROGRAM.match(line):
            code, output = sandbox.run(line)
            if code == 2:
                raise SystemExit(f"examples.py: bad usage: {line}\n{output}")
    return block


def rerun(text, *programs):
    """The page's text with what its blocks print now, one after the other in the same folder."""
    runners = {"console": console, "sh": shell}
    sandbox = Sandbox(*programs)
    try:
        return FENCE.sub(lambda match: f"```{match[1]}\n{runners[match[1]](sandbox, match[2])}```", text)
    finally:
        sandbox.remove()


def show_difference(name, old, new):
    with tempfile.TemporaryDirectory() as folder:
        for side, text in (("page", old), ("run", new)):
            with open(os.path.join(folder, side), "w", encoding="utf-8") as file:
                file.write(text)
        labels = ["--label", name, "--label", "what the commands print"]
        subprocess.run(["diff", "-u", *labels, "page", "run"], cwd=folder, check=False)


def main(argv):
    update = "--update" in argv
    root, wheelarch, cuobjdump = [os.path.realpath(word) for word in argv[1:] if word != "--update"]
    stale = 0
    for name in pages(root):
        path = os.path.join(root, name)
        with open(path, encoding="utf-8") as file:
            old = file.read()
        new = rerun(old, root, wheelarch, cuobjdump)
        if new == old:
            continue
        stale += 1
        show_difference(name, old, new)
        if update:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    if stale and not update:
        print("examples.py: correct the pages with tests/docs/examples.sh --update, after reading the difference")
    return 1 if stale and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
