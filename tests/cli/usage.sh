#!/usr/bin/env bash
# Mistyped names: exit 2, and the nearest name that is known.
. "$(dirname "$0")/lib.sh"

refused() { # refused ARGUMENT... <MESSAGE
  expect_exit 2 "$@"
  expect_error
}
refused assert --arch-lst 8.0 x.whl <<'EOT'
error: The following argument was not expected: --arch-lst
    fix: did you mean --arch-list instead of --arch-lst?
EOT
refused assrt --arch-list 8.0 x.whl <<'EOT'
error: unknown command 'assrt'
    fix: did you mean assert instead of assrt?
EOT
refused assert --arch-list 8.0 --witness natve x.whl <<'EOT'
error: unknown witness 'natve'
    fix: choose auto, native, cuobjdump or both
EOT
refused assert --arch-list 8.0 --device-code nne x.whl <<'EOT'
error: --device-code: nne not in {none,required}
    fix: see wheelarch assert --help
EOT
refused assert --arch-list 8.0 <<'EOT'
error: WHEEL is required
    fix: see wheelarch assert --help
EOT
refused <<'EOT'
error: A subcommand is required
    fix: see wheelarch --help
EOT

# Help and the version go to standard output; help ends with an example.
expect_exit 0 --version
grep -qxE 'wheelarch [0-9]+\.[0-9]+\.[0-9]+' out || fail "not a version: $(cat out)"
for command in "" inspect assert coverage; do
  expect_exit 0 $command --help
  expect_empty err
  tail -1 out | grep -q '^Example: wheelarch ' || fail "wheelarch $command --help does not end with an example"
done
