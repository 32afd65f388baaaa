from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="narrow_pkg",
    version="1.0",
    packages=["narrow_pkg"],
    ext_modules=[CUDAExtension("narrow_pkg._ops", ["csrc/ops.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
