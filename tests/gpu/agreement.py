#!/usr/bin/env python3
"""Both witnesses on every library with device code under some folders, with the time of each.

  agreement.py --wheelarch BIN --cuobjdump PROGRAM FOLDER...

Not in CI: made for a machine with large real libraries. Prints a Markdown table and, last, a count. Times are wall
clock, the best of three for our reader and one run for cuobjdump's two lists; the file's bytes are read beforehand.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def libraries(folders):
    seen = set()
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.realpath(os.path.join(root, name))
                if (name.endswith(".so") or ".so." in name) and path not in seen:
                    seen.add(path)
                    yield path


def timed(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return time.monotonic() - start, done


def inspect(wheelarch, witness, cuobjdump, path, images):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [wheelarch, "inspect", "--witness", witness, "--json", out.name]
        command += ["--cuobjdump", cuobjdump] if witness != "native" else []
        command += ["--images"] if images else []
        done = subprocess.run(command + [path], capture_output=True, text=True)
        data = json.load(open(out.name)) if os.path.getsize(out.name) else {}
    return done, data


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--wheelarch", required=True)
    arguments.add_argument("--cuobjdump", required=True)
    arguments.add_argument("folders", nargs="+")
    options = arguments.parse_args()
    agreed = differed = 0
    print("| library | MiB | images | kernel-less | archs | agree | native s | cuobjdump s | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in libraries(options.folders):
        done, data = inspect(options.wheelarch, "native", None, path, False)
        if done.returncode != 0:
            print(f"| {os.path.basename(path)} | | | | | **{done.stderr.strip()[:200]}** | | | |")
            differed += 1
            continue
        file = data["files"][0]
        if file["regions"] == 0:
            continue
        native = min(timed([options.wheelarch, "inspect", "--witness", "native", path])[0] for _ in range(3))
        lists = sum(timed([options.cuobjdump, which, path])[0] for which in ("--list-elf", "--list-ptx"))
        both, data = inspect(options.wheelarch, "both", options.cuobjdump, path, True)
        same = both.returncode == 0
        agreed, differed = agreed + same, differed + (not same)
        archs = " ".join([a[3:] for a in file["sass"]] + ["ptx" + a[8:] for a in file["ptx"]])
        print(f"| {os.path.basename(path)} | {file['size'] / 2**20:.1f} | {len(data['files'][0]['images']) if same else '?'} | "
              f"{file['kernelless']} | {archs} | {'yes' if same else '**' + both.stderr.strip()[:300] + '**'} | "
              f"{native:.3f} | {lists:.2f} | {lists / native:.0f} |", flush=True)
    print(f"\n{agreed} agree, {differed} do not")
    return differed != 0


if __name__ == "__main__":
    sys.exit(main())
