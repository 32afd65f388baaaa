#!/usr/bin/env bash
# The launcher where something around it is not as on a hosted runner: names of folders, RUNNER_TEMP, mounts without
# exec, a damaged binary, PATH.
. "$(dirname "$0")/lib.sh"
. "$root/tests/action/launcher_lib.sh"
step_environment
make_action "$work/_actions/example-org/wheel arch/v1 \$(touch pwned) é"
set_inputs wheels="*.whl" arch-list="8.0;9.0" witness=native

# Workspaces that scripts stumble over.
for place in "with  spaces" "ünï/日本" "-rf" "\$(touch pwned)" "it's"; do
  mkdir -p "$work/$place"
  cd "$work/$place"
  wheel ext_no_ptx.so=pkg/_C.so
  for mode in 755 644; do
    chmod $mode "$program"
    launch 0
    expect_verdict match
  done
  [ -f $wheel.ledger.json ] || fail "no entry in $place"
done
cd "$work"
wheel ext_no_ptx.so=pkg/_C.so
[ -z "$(find "$work" -name 'pwned*')" ] || fail "the name of a folder was run"

# A PATH with nothing but coreutils, and one with nothing: only the copy needs programs.
mkdir few
for name in mkdir cp chmod; do ln -s "$(command -v $name)" few/; done
shell=$(command -v sh)
chmod 644 "$program"
PATH=$work/few launch 0 "$shell"
expect_verdict match
PATH=$work/none launch 3 "$shell"
grep -q "^::error title=wheelarch::.* does not run on this machine%0Afix: mount " out || { cat out >&2; fail "no reason"; }
chmod 755 "$program"
PATH=$work/none launch 0 "$shell"
expect_verdict match

# Somewhere for the copy is found without RUNNER_TEMP, and nothing of another is run that lies where it would be.
chmod 644 "$program"
export TMPDIR="$work/the other"
mkdir "$TMPDIR"
set_inputs wheels="*.whl" arch-list="8.0;9.0" witness=native report=report.json
for temp in "" "$work/none" /dev/null /proc; do
  RUNNER_TEMP=$temp launch 0
  expect_verdict match
done
[ "$(find "$TMPDIR" -name wheelarch | wc -l)" = 4 ] || fail "the copies are not in TMPDIR"
cat >squat.sh <<'EOT'
mkdir "$RUNNER_TEMP/wheelarch.$$"
printf '#!/bin/sh\ntouch pwned\n' >"$RUNNER_TEMP/wheelarch.$$/wheelarch"
chmod 755 "$RUNNER_TEMP/wheelarch.$$/wheelarch"
EOT
cat squat.sh launcher.sh >squatted.sh
sh -e squatted.sh >out 2>err </dev/null || { cat out err >&2; fail "the place for the copy was taken"; }
expect_verdict match
[ ! -e pwned ] || fail "ran what lay in the place of the copy"

# A file that is no program of this machine: a pointer of Git LFS, half a download, another architecture.
for damage in 'version https://git-lfs.github.com/spec/v1' $'\x7fELF\x02\x01\x01' ''; do
  printf '%s\n' "$damage" >"$program"
  for mode in 755 644; do
    chmod $mode "$program"
    launch 3
    grep -qE "^::error title=wheelarch::[^%]* does not run on this machine%0Afix: mount the folder .*, and compare the file with dist/SHA256SUMS$" out ||
      { cat out err >&2; fail "a damaged program"; }
    expect_empty "$GITHUB_OUTPUT"
  done
done
cp "$WHEELARCH" "$program"

# Mounted without exec: busybox tells root of such a file that it is executable. Mounting is not for every container.
unshare -m true 2>/dev/null || { echo "no mounts here: noexec is not tried"; exit 0; }
need busybox
cat >mounted.sh <<'EOT'
mount --bind "$1" "$1" && mount -o remount,bind,noexec "$1" || exit 99
shift
exec "$@"
EOT
chmod 755 "$program"
for shell in sh "busybox sh"; do
  # shellcheck disable=SC2086
  launch 0 unshare -m sh mounted.sh "$GITHUB_ACTION_PATH" $shell
  expect_verdict match
done
