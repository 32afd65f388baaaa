#!/usr/bin/env bash
# -compress-mode in the policy's nvcc_flags, for a row whose nvcc does not know it yet.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
mkdir -p src/example_attn
echo 'from setuptools import setup' >src/example_attn/setup.py
lint_farm "12.6=8.0;9.0" "12.8=8.0;9.0"
echo 'nvcc_flags: "-compress-mode=size"' >>farm/packages/example_attn.yml
expect_exit 1 lint --farm farm --sources src
expect_output <<'TEXT'
example_attn  1 file from src/example_attn
  none is C, C++ or CUDA: no device code was looked at. Are the submodules checked out?
error[compress-mode] example_attn: nvcc_flags has -compress-mode, which nvcc knows from CUDA 12.8 on; there are rows of CUDA 12.6
    farm/packages/example_attn.yml
    fix: use -Xfatbin -compress-all, which all know, or build those rows without
    or: lint_ignore: [{rule: compress-mode, reason: "…"}] in the package's YAML lets it pass
1 package: 1 error, 0 warnings, 0 notices; 0 let pass
TEXT
sed -i 's/-compress-mode=size/-Xfatbin -compress-all/' farm/packages/example_attn.yml
expect_exit 0 lint --farm farm --sources src
lint_farm "12.8=8.0;9.0"
sed -i 's/-Xfatbin -compress-all/-compress-mode=size/' farm/packages/example_attn.yml
expect_exit 0 lint --farm farm --sources src
