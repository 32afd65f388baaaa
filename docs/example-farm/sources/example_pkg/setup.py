from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="example_pkg",
    version="1.0",
    packages=["example_pkg"],
    ext_modules=[CUDAExtension("example_pkg._C", ["csrc/quantize.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
