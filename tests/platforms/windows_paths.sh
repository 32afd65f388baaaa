#!/usr/bin/env bash
# Paths as Windows has them: backslashes, a drive, spaces, names that are not ASCII, more than 260 characters.
. "$(dirname "$0")/windows_lib.sh"
need_fixtures
long=$(printf 'a-folder-with-a-long-name-%02d/' 1 2 3 4 5 6 7 8 9 10 11 12)
for folder in "with spaces" "größe 世界" "$long"; do
  mkdir -p "$folder"
  made_wheel "$folder" pkg 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so
  for path in "$folder/$wheel" "${folder//\//\\}\\$wheel" "$(windows_path "$folder/$wheel")"; do
    expect_exit 0 assert --arch-list "8.0;9.0" --witness native --json report.json "$path"
    P=$path check_json report.json 'd["file"] == __import__("os").environ["P"]'
  done
  expect_exit 0 inspect --witness native "$(windows_path "$folder")"
  expect_exit 0 gate --arch-list "8.0;9.0" --witness native "$(windows_path "$folder/$wheel")"
  [ -s "$folder/$wheel.ledger.json" ] || fail "no entry in $folder"
  is_stamped "$folder/$wheel" || fail "no stamp in $folder"
done

# An input of the action: patterns with either slash, one a line, with CRLF.
mkdir -p built/a built/b temp
made_wheel built/a pkg 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=pkg/_C.so
made_wheel built/b other 1.0 cp312-cp312-linux_x86_64 ext_no_ptx.so=other/_C.so
inputs=$(python3 -c 'import json; print(json.dumps({"command": "assert", "wheels": "built\\a\\*.whl\r\nbuilt/b/*.whl\r\n", "arch-list": "8.0;9.0", "witness": "native"}))')
WHEELARCH_INPUTS=$inputs RUNNER_TEMP=$(windows_path temp) GITHUB_OUTPUT=$(windows_path outputs) expect_exit 0 action
grep -q '^match$' outputs || { cat out* err >&2; fail "no verdict"; }
