#!/usr/bin/env bash
# What cannot be read is exit 3, never 0: an empty folder, a file that is not there, a library or a wheel cut short.
. "$(dirname "$0")/lib.sh"
need_fixtures

refused() { # refused ARGUMENT... <MESSAGE
  expect_exit 3 "$@" --witness native
  expect_error
}
cut_short="the file is cut short or damaged: build or download it again"
mkdir empty
refused assert --arch-list 8.0 empty <<'EOT'
error: empty: no wheel in this folder
    fix: check the path, and that the build has run
EOT
refused inspect empty <<'EOT'
error: empty: nothing to inspect in this folder
    fix: check the path, and that the build has run
EOT
refused assert --arch-list 8.0 missing.whl <<'EOT'
error: missing.whl: cannot open the file: No such file or directory
    fix: check the path and its permissions
EOT
echo text >notes.txt
refused inspect notes.txt <<'EOT'
error: notes.txt: not a file that can hold device code
    fix: give a wheel, .so, .pyd, .dll, .a, .o, .fatbin, .cubin or .ptx
EOT
head -c 3000 "$fixtures/ext_two_tu.so" >cut.so
refused inspect cut.so <<EOT
error: cut.so → offset OFFSET: the section header table needs 64 bytes here, but the data ends at 0xbb8
    fix: $cut_short
EOT
wheel ./cut.so=pkg/_C.so
refused assert --arch-list 8.0 $wheel <<EOT
error: $wheel → pkg/_C.so → offset OFFSET: the section header table needs 64 bytes here, but the data ends at 0xbb8
    fix: $cut_short
EOT
wheel ext_two_tu.so=pkg/_C.so
head -c 5000 $wheel >short.whl && mv short.whl $wheel
refused assert --arch-list 8.0 $wheel <<EOT
error: $wheel: no end of central directory record: not a zip archive, or its end is missing
    fix: $cut_short
EOT
