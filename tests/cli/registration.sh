#!/usr/bin/env bash
# What a stubbed runtime is given when a library is loaded is what `inspect` calls registered.
. "$(dirname "$0")/lib.sh"
nvcc=$(command -v nvcc || find "$root/build/venv/" -name nvcc -type f 2>/dev/null | head -1)
[ -n "$nvcc" ] || lacking "nvcc"
python3 "$root/tests/binary/registration.py" "$WHEELARCH" "$nvcc" "$(dirname "$nvcc")/../lib" "$PWD/registration" ||
  fail "what is registered differs from what is listed"
