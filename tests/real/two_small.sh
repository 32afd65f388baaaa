#!/usr/bin/env bash
# Two small published wheels, one with ELF and the suffix a, one with PE: both witnesses see the same images. They are
# downloaded once, by hash, into build/real.
. "$(dirname "$0")/../cli/lib.sh"
need_cuobjdump
names=(torchao-0.18.0-cp310-abi3-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl ctranslate2-4.8.5-cp312-cp312-win_amd64.whl)
folder=$root/build/real
mkdir -p "$folder"
"$venv/bin/python" "$root/tests/real/fetch.py" "$folder" "${names[@]}" || {
  code=$?
  [ "$code" = 75 ] && lacking "the wheels: pip could not download them"
  fail "fetch.py ends with exit code $code"
}
python3 "$root/tests/real/compare.py" --wheelarch "$WHEELARCH" --cuobjdump "$cuobjdump" "${names[@]/#/$folder/}"
