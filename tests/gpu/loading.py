#!/usr/bin/env python3
"""Does `coverage --gpu` predict what the driver loads? One fatbin for each arch that nvcc has, loaded and run.

  loading.py --wheelarch BIN [--nvcc nvcc]

Not in CI: needs a GPU, its driver and nvcc. Prints a line per fatbin and, last, a count; exits 1 on a wrong prediction.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile

SOURCE = 'extern "C" __global__ void answer(int* out) { *out = 42; }\n'


class Gpu:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.check(self.cuda.cuInit(0))
        self.check(self.cuda.cuDeviceGet(ctypes.byref(device), 0))
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
        self.check(self.cuda.cuCtxSetCurrent(context))
        self.capability = f"{self.attribute(device, 75)}.{self.attribute(device, 76)}"

    def attribute(self, device, number):
        value = ctypes.c_int()
        self.check(self.cuda.cuDeviceGetAttribute(ctypes.byref(value), number, device))
        return value.value

    @staticmethod
    def check(code):
        if code != 0:
            raise RuntimeError(f"driver call failed with {code}")

    def runs(self, image):
        """0 if the kernel of this fatbin gives its answer, else the driver's error code."""
        module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        code = self.cuda.cuModuleLoadData(ctypes.byref(module), image)
        if code != 0:
            return code
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, b"answer"))
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(memory), 4))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
        code = self.cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
        result = ctypes.c_int()
        code = code or self.cuda.cuMemcpyDtoH_v2(ctypes.byref(result), memory, 4)
        self.cuda.cuMemFree_v2(memory)
        self.cuda.cuModuleUnload(module)
        return code or (0 if result.value == 42 else -1)


def archs(nvcc):
    listed = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout.split()
    plain = [name.removeprefix("compute_") for name in listed]
    with_suffix = [a + "a" for a in plain if int(a) >= 90] + [a + "f" for a in plain if int(a) >= 100]
    return plain + with_suffix


def cases(nvcc):
    for arch in archs(nvcc):
        yield f"SASS {arch}", [f"arch=compute_{arch},code=sm_{arch}"]
        yield f"PTX {arch}", [f"arch=compute_{arch},code=compute_{arch}"]
    yield "SASS 80 + PTX 80", ["arch=compute_80,code=[sm_80,compute_80]"]
    yield "SASS 86, 89", ["arch=compute_86,code=sm_86", "arch=compute_89,code=sm_89"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--wheelarch", required=True)
    arguments.add_argument("--nvcc", default="nvcc")
    options = arguments.parse_args()
    gpu = Gpu()
    right = wrong = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        source, fatbin, report = (os.path.join(folder, name) for name in ("k.cu", "k.fatbin", "r.json"))
        open(source, "w").write(SOURCE)
        for title, codes in cases(options.nvcc):
            command = [options.nvcc, "-fatbin", source, "-o", fatbin] + [f"-gencode={code}" for code in codes]
            if subprocess.run(command, capture_output=True).returncode != 0:
                skipped += 1
                print(f"{title:18} nvcc has no such target")
                continue
            subprocess.run([options.wheelarch, "coverage", "--witness", "native", "--gpu", gpu.capability, "--json", report,
                            fatbin], capture_output=True)
            told = json.load(open(report))["gpus"][0]["coverage"]
            code = gpu.runs(open(fatbin, "rb").read())
            fits = (code == 0) == (told in ("native", "jit"))
            right, wrong = right + fits, wrong + (not fits)
            print(f"{title:18} {told:13} {'runs' if code == 0 else f'error {code}':10} {'' if fits else 'WRONG'}")
    print(f"{right} right, {wrong} wrong, {skipped} skipped on a device of {gpu.capability}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
