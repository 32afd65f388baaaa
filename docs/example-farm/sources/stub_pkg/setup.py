import os

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"
setup(
    name="stub_pkg",
    version="1.0",
    packages=["stub_pkg"],
    ext_modules=[CUDAExtension("stub_pkg._C", ["csrc/stub.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
