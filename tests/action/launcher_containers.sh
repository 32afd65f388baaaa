#!/usr/bin/env bash
# The launcher in a root folder that has nothing but busybox, as in Alpine, and with files that belong to somebody else:
# a container's user is root, and the workspace is the runner's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/action/launcher_lib.sh"
need busybox git
[ "$(id -u)" = 0 ] || skip "not root: cannot change the root folder or the owner of files"
file -L "$(command -v busybox)" | grep -q 'statically linked' || lacking "a static busybox: install busybox-static"
static=$root/dist/linux-x64/wheelarch
[ -x "$static" ] || skip "no dist/linux-x64: only the released program is static"

# A container: the workspace and the actions are mounted from the host, and owned by its runner.
container=$work/container
mkdir -p "$container"/{bin,tmp,__w/repo,__w/_temp,__w/_actions/example-org/wheelarch/v1/dist/linux-x64}
mkdir "$container/dev" && head -c 65536 /dev/urandom >"$container/dev/urandom" && : >"$container/dev/null"
chmod 666 "$container/dev/null"
cp "$(command -v busybox)" "$container/bin/busybox"
for name in sh mkdir cp chmod; do ln -s busybox "$container/bin/$name"; done
cp "$static" "$container/__w/_actions/example-org/wheelarch/v1/dist/linux-x64/"
cp launcher.sh "$container/__w/_temp/"
wheel ext_no_ptx.so=pkg/_C.so
git init -q "$container/__w/repo"
git -C "$container/__w/repo" -c user.name=test -c user.email=test@example.org commit -q --allow-empty -m test
step_environment
set_inputs wheels="*.whl" arch-list="8.0;9.0" witness=native

# in_container MODE OWNER USER: the binary has that mode, all files that owner, and the step runs as that user.
in_container() {
  cp $wheel "$container/__w/repo/"
  chmod "$1" "$container"/__w/_actions/example-org/wheelarch/v1/dist/linux-x64/wheelarch
  chown -R "$2" "$container/__w"
  chmod 1777 "$container/tmp"
  : >"$container/__w/_temp/outputs"
  : >"$container/__w/_temp/summary"
  chmod 666 "$container/__w/_temp/"{outputs,summary}
  GITHUB_OUTPUT=/__w/_temp/outputs GITHUB_STEP_SUMMARY=/__w/_temp/summary RUNNER_TEMP=/__w/_temp PATH=/bin \
    GITHUB_ACTION_PATH=/__w/_actions/example-org/wheelarch/v1 \
    /usr/sbin/chroot --userspec="$3" "$container" /bin/sh -c 'cd /__w/repo && exec sh -e /__w/_temp/launcher.sh' >out 2>err </dev/null ||
    { cat out err >&2; fail "mode $1, files of $2, run by $3"; }
  GITHUB_OUTPUT=$container/__w/_temp/outputs expect_step_output verdict match
  expect_empty err
}
for mode in 755 644; do
  in_container $mode 1001:1001 0:0
  in_container $mode 0:0 0:0
  in_container $mode 65534:65534 65534:65534
done
[ "$(stat -c %u "$container/__w/repo/$wheel")" = 65534 ] || fail "the wheel changed hands"

# A user who may only read: the copy goes to /tmp.
set_inputs command=assert wheels="*.whl" arch-list="8.0;9.0" witness=native report=/tmp/report.json
in_container 644 0:0 65534:65534
[ -n "$(find "$container/tmp" -path '*/wheelarch.*/wheelarch' -user 65534 -perm 700)" ] || fail "no copy in /tmp"

# What needs git, in a repository of another user: root in a container with the runner's files, and the reverse.
need setpriv
for variable in $(env | sed -nE 's/^(GIT_[A-Z_0-9]*)=.*/\1/p'); do unset "$variable"; done
step_environment
chmod 711 "$work"
chmod 777 "$RUNNER_TEMP"
chmod 666 "$GITHUB_OUTPUT" "$GITHUB_STEP_SUMMARY"
make_action "$work/action"
expect_exit 0 gate --witness native --arch-list "8.0;9.0" $wheel
set_inputs command=collect wheels="$work/$wheel.ledger.json"
for user in 0 65534; do
  git init -q "$work/of-another-$user"
  chmod -R a+rwX "$work/of-another-$user"
  chown -R 1001:1001 "$work/of-another-$user"
  cd "$work/of-another-$user"
  HOME=/nonexistent launch 0 setpriv --reuid=$user --regid=$user --clear-groups sh
  expect_verdict recorded
done
# Files that may only be read: it is said which, and nothing is half written.
git init -q "$work/of-root"
cd "$work/of-root"
HOME=/nonexistent launch 3 setpriv --reuid=65534 --regid=65534 --clear-groups sh
expect_verdict unchecked
grep -q "^error: .*$work/of-root.*" "$work/err" || { cat "$work/err" >&2; fail "the folder is not named"; }
