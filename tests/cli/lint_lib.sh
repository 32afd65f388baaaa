# A farm and a source to lint, and what nvcc makes of the source.
# shellcheck shell=bash disable=SC2154

# Each row is `CUDA=LIST`; a list of aarch64 is `aarch64:CUDA=LIST`. Makes farm/ with example_attn, or lays its lists anew.
lint_farm() { # lint_farm ROW...
  local row arm=
  mkdir -p farm/packages
  {
    echo 'combinations:'
    for row in "$@"; do
      [[ $row == aarch64:* ]] || echo "  - {cuda: \"${row%%=*}\", pytorch: \"2.8.0\", python_versions: [\"3.12\"]}"
    done
    echo 'ptx_tail: false'
    echo 'arch_policy:'
    for row in "$@"; do
      if [[ $row == aarch64:* ]]; then arm+="  \"${row#aarch64:}\""$'\n'; else echo "  \"${row%%=*}\": \"${row#*=}\""; fi
    done
    [ -z "$arm" ] && echo 'platforms: [linux]' || printf 'platforms: [linux, linux_aarch64]\narch_policy_aarch64:\n%s\n' "${arm//=/\": \"}"
  } >farm/packages/_defaults.yml
  [ -e farm/packages/example_attn.yml ] || echo 'source_repo: example-org/example_attn' >farm/packages/example_attn.yml
}

need_nvcc() { [ -x "$toolkit/bin/nvcc" ] && [ -x "$cuobjdump" ] || lacking "nvcc and cuobjdump in $toolkit: run .ci/setup"; }
# Compiles for archs as the list would, into code/ARCH.cubin: `cubins x.cu 80 90a`.
cubins() { # cubins SOURCE ARCH...
  local arch
  mkdir -p code
  for arch in "${@:2}"; do
    "$toolkit/bin/nvcc" -cubin "-arch=sm_$arch" "$1" -o "code/$arch.cubin" 2>nvcc.log || { cat nvcc.log >&2; fail "nvcc"; }
  done
}
# Nothing but the end is left of a kernel whose body was left out.
is_stub() { [ "$(python3 "$root/tests/nvcc/kernel_code.py" "code/$1.cubin")" -le 1 ]; }
