#!/usr/bin/env python3
"""What a stubbed runtime is given when a library is loaded, against what `inspect` says is registered.

  registration.py WHEELARCH NVCC CUDA_LIB SCRATCH

Libraries are built by nvcc, linked in several ways and then changed: sections renamed, made NOBITS, NULL or empty, the
section table cut off, sent past the end, or zeroed. Each is loaded in a process of its own with a stub in the place of
libcudart, which prints the archs of each region that it gets. They must be those of the images that the reader calls
registered. What cannot be loaded any more is left out, and counted.
"""
import json, os, struct, subprocess, sys

wheelarch, nvcc, cuda_lib, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
os.chdir(scratch)

STUB = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
void** __cudaRegisterFatBinary(void* w) {
  const unsigned char* p; memcpy(&p, (char*)w + 8, 8);
  uint64_t size; memcpy(&size, p + 8, 8);
  for (uint64_t o = 16; o < 16 + size;) {
    uint16_t kind; uint32_t head, arch; uint64_t body, flags;
    memcpy(&kind, p + o, 2); memcpy(&head, p + o + 4, 4); memcpy(&body, p + o + 8, 8); memcpy(&arch, p + o + 0x1c, 4);
    memcpy(&flags, p + o + 0x28, 8);
    printf("%s%u%s ", kind == 1 ? "compute_" : "sm_", arch, flags & 0x100000 ? "a" : flags & 0x200000 ? "f" : "");
    o += head + body;
  }
  fflush(stdout);
  static void* h; return &h;
}
#define STUBBED(name) long name() { return 0; }
STUBBED(__cudaRegisterFatBinaryEnd) STUBBED(__cudaUnregisterFatBinary) STUBBED(__cudaRegisterFunction)
STUBBED(__cudaPushCallConfiguration) STUBBED(__cudaPopCallConfiguration) STUBBED(__cudaInitModule)
STUBBED(__cudaGetKernel) STUBBED(__cudaLaunchKernel) STUBBED(cudaLaunchKernel) STUBBED(__cudaRegisterVar)
"""
SOURCE = "__global__ void %s(int* p) { *p = 1; }\nvoid run_%s(int* p) { %s<<<1, 1>>>(p); }\n"


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def build():
    open("stub.c", "w").write(STUB)
    run("gcc", "-shared", "-fPIC", "-w", "stub.c", "-o", "libstub.so")
    archs = {"a": ["80", "90"], "b": ["86"], "c": ["90a"]}
    for name, wanted in archs.items():
        open(name + ".cu", "w").write(SOURCE % (name, name, name))
        flags = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in wanted]
        run(nvcc, "-c", "-Xcompiler=-fPIC", *flags, name + ".cu", "-o", name + ".o")
    links = {"bfd": [], "gold": ["-fuse-ld=gold"], "mold": ["-fuse-ld=mold"], "lld": ["-fuse-ld=lld"],
             "relr": ["-Wl,-z,pack-relative-relocs"], "symbolic": ["-Wl,-Bsymbolic"], "stripped": ["-s"]}
    for name, flags in links.items():
        for objects in (["a.o"], ["a.o", "b.o"], ["a.o", "b.o", "c.o"]):
            out = f"{name}{len(objects)}.so"
            if subprocess.run(["g++", "-shared", *objects, *flags, "-o", out, "-L.", "-lstub", "-Wl,-rpath," + scratch],
                              stderr=subprocess.DEVNULL).returncode == 0:
                yield out


def changed(path):
    """Copies of a library whose section table says something else."""
    data = open(path, "rb").read()
    table, step = struct.unpack_from("<Q", data, 40)[0], 64
    count, names_index = struct.unpack_from("<HH", data, 60)
    names = struct.unpack_from("<Q", data, table + names_index * step + 24)[0]
    sections = {}
    for i in range(count):
        at = names + struct.unpack_from("<I", data, table + i * step)[0]
        sections[data[at:data.index(b"\0", at)]] = (table + i * step, at)
    ways = {"no-table": [(40, struct.pack("<Q", 0)), (60, b"\0\0\0\0")],
            "table-past-end": [(40, struct.pack("<Q", len(data) + 64))],
            "table-of-zeros": [(table, bytes(step * count))]}
    for which in (b".nv_fatbin", b".nvFatBinSegment"):
        header, at = sections[which]
        short = which.decode()[1:]
        ways[short + "-renamed"] = [(at, b".other")]
        ways[short + "-nobits"] = [(header + 4, struct.pack("<I", 8))]
        ways[short + "-null"] = [(header + 4, struct.pack("<I", 0))]
        ways[short + "-empty"] = [(header + 32, struct.pack("<Q", 0))]
    fatbin, segment = sections[b".nv_fatbin"], sections[b".nvFatBinSegment"]
    ways["both-renamed"] = [(fatbin[1], b".other"), (segment[1], b".thing")]
    for name, patches in ways.items():
        out = bytearray(data)
        for at, value in patches:
            out[at:at + len(value)] = value
        target = f"{path[:-3]}-{name}.so"
        open(target, "wb").write(out)
        yield target


def loaded(path):
    done = subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL('./{path}')"], capture_output=True, text=True)
    return sorted(done.stdout.split()) if done.returncode == 0 else None


def listed(path):
    done = subprocess.run([wheelarch, "inspect", "--witness", "native", "--images", "--json", "-", path],
                          capture_output=True, text=True)
    files = json.loads(done.stdout)["files"]
    return sorted(i["arch"] for i in files[0]["images"] if i["registration"] == "registered") if files else done.stderr


tried = unloadable = wrong = 0
for original in list(build()):
    for path in [original, *changed(original)]:
        truth = loaded(path)
        if truth is None:
            unloadable += 1
            continue
        tried += 1
        found = listed(path)
        if found != truth:
            wrong += 1
            print(f"{path}: registered {truth}, listed {found}", file=sys.stderr)
print(f"{tried} libraries agree" if not wrong else f"{wrong} of {tried} libraries differ", f"({unloadable} cannot be loaded)")
sys.exit(wrong > 0 or tried < 60)
