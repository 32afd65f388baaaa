"""setup.py of the packages that scenarios build. nvcc compiles csrc/*.cu for TORCH_CUDA_ARCH_LIST; NVCC names it. The local
part of the version comes from CUDA and TORCH, as the example workflows give them."""
import glob
import os
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NAME = "@NAME@"


def gencode(arch):
    number = arch.removesuffix("+PTX").replace(".", "")
    codes = f"sm_{number},compute_{number}" if arch.endswith("+PTX") else f"sm_{number}"
    return f"-gencode=arch=compute_{number},code=[{codes}]"


class BuildCuda(build_ext):
    def build_extension(self, ext):
        flags = [gencode(arch) for arch in os.environ["TORCH_CUDA_ARCH_LIST"].split(";")]
        objects = []
        os.makedirs(self.build_temp, exist_ok=True)
        for source in ext.sources:
            objects.append(os.path.join(self.build_temp, os.path.basename(source) + ".o"))
            subprocess.run([os.environ["NVCC"], "-c", "-Xcompiler=-fPIC", *flags, source, "-o", objects[-1]], check=True)
        target = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        subprocess.run(["g++", "-shared", "-Wl,-s", "-o", target, *objects], check=True)


setup(
    name=NAME,
    version="1.0+cu" + os.environ["CUDA"] + "torch" + ".".join(os.environ["TORCH"].split(".")[:2]),
    packages=[],
    ext_modules=[Extension(NAME + "._C", sorted(glob.glob("csrc/*.cu")))],
    cmdclass={"build_ext": BuildCuda},
)
