#!/usr/bin/env bash
# Which cells are asked about, in the words that people type; what no cell has is said, with what there is.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
small_farm
takes() { # takes KEYS OPTION...: the cells without their epochs, as torch-CUDA-python-platform of each package
  expect_exit 0 matrix --farm farm --all --output found.json "${@:2}"
  python3 - "$1" "${*:2}" <<'PYTHON' || fail "filters"
import json, sys
found = sorted({row["exists_key"].split("@")[0] for rows in json.load(open("found.json")).values() for row in rows["include"]})
wanted = sorted(sys.argv[1].split())
if found != wanted:
    sys.exit(f"{sys.argv[2]}: wanted {wanted}\nfound {found}")
PYTHON
}
attn128="example_attn-2.8.3+cu128torch2.7-cp312-linux example_attn-2.8.3+cu128torch2.10-cp312-linux"
attn128arm="example_attn-2.8.3+cu128torch2.7-cp312-linux_aarch64 example_attn-2.8.3+cu128torch2.10-cp312-linux_aarch64"
for package in example_attn example-attn Example.Attn; do
  for cuda in 12.8 128 cu128; do
    takes "$attn128 $attn128arm" --package $package --cuda $cuda
  done
done
for platform in linux_aarch64 linux-aarch64 aarch64 arm64; do
  takes "$attn128arm" --package example_attn --cuda 12.8 --platform $platform
done
for platform in linux linux_x64 x86_64; do
  takes "$attn128" --package example_attn --cuda 12.8 --platform=$platform
done
for torch in 2.10 2.10.0 210 torch2.10; do
  takes "${attn128#* } ${attn128arm#* }" --package example_attn --pytorch $torch
done
for python in 3.13 313 cp313 py313; do
  takes "example_attn-2.8.3+cu130torch2.9-cp313-linux example_attn-2.8.3+cu130torch2.9-cp313-linux_aarch64 example_cpu-*+cu130torch*-cp313-linux" --python $python
done
takes "example_cpu-*+cu126torch*-cp311-windows example_cpu-*+cu126torch*-cp312-windows" --package example_cpu --platform win --cuda 12.6
# Several: with commas, repeated, or both.
one="example_cpu-*+cu126torch*-cp312-linux example_cpu-*+cu130torch*-cp312-linux"
takes "$one" --package example_cpu --platform linux --python 3.12 --cuda 12.6,13.0
takes "$one" --package example_cpu --platform linux --python 3.12 --cuda "cu126, 130"
takes "$one" --package example_cpu --platform linux --python 3.12 --cuda 12.6 --cuda 13.0
takes "$one" --package=example_cpu,example_cpu, --platform linux --python 3.12 --cuda 12.6 --cuda=13.0,126

refused() { # refused OPTION... <WANTED
  rm -f found*.json
  expect_exit 2 matrix --farm farm --all --output found.json "$@"
  expect_said
  expect_no_file 'found*.json'
  expect_harmless out err
}
refused --package example-atn <<'EOT2'
error: --package 'example-atn': no cell has it
    fix: did you mean example_attn? there are example_attn, example_cpu, example_rows
EOT2
refused --cuda 12.6,12.7 <<'EOT2'
error: --cuda '12.7': no cell has it
    fix: did you mean 12.6? there are 12.6, 12.8, 13.0
EOT2
refused --cuda 12 <<'EOT2'
error: --cuda '12': no cell has it
    fix: there are 12.6, 12.8, 13.0
EOT2
refused --pytorch 2.11 <<'EOT2'
error: --pytorch '2.11': no cell has it
    fix: there are 2.10.0, 2.6.0, 2.7.1, 2.8.0, 2.9.1
EOT2
refused --python 3.14 <<'EOT2'
error: --python '3.14': no cell has it
    fix: did you mean 3.10? there are 3.10, 3.11, 3.12, 3.13
EOT2
refused --platform windws <<'EOT2'
error: --platform 'windws': no cell has it
    fix: did you mean windows? there are linux, linux_aarch64, windows
EOT2
refused --package $'\n::error::x\e[31m##[error]' <<'EOT2'
error: --package '\n::error::x\x1b[31m# #[error]': no cell has it
    fix: there are example_attn, example_cpu, example_rows
EOT2
# Each is there, but not together.
for together in "--package example_cpu --platform linux_aarch64" "--package example_rows --python 3.13" "--cuda 12.6 --pytorch 2.9"; do
  # shellcheck disable=SC2086
  refused $together <<'EOT2'
error: no cell has all that is asked for
    fix: each value is there, but not in one cell: widen one of the filters
EOT2
done
# So for plan, and for a matrix that is given.
expect_exit 0 matrix --farm farm --all --output given.json --package example_cpu
expect_exit 2 matrix --farm farm --all --from given.json --package example_attn
expect_exit 0 matrix --farm farm --all --from given.json --python 3.13 --output found.json
check_rows found.json 'keys == ["example_cpu-*+cu130torch*-cp313-linux@epoch2"]'
expect_exit 2 plan --farm farm --package example-atn
expect_exit 0 plan --farm farm --package example-cpu --json plan.json
check_json plan.json '{c["package"] for c in d["cells"]} == {"example_cpu"} and len(d["cells"]) == 9'
