# Shared by the scenario tests, which source it first. Each then makes its input, runs the program and compares.
#
#   WHEELARCH           the program under test; default build/linux-x64/wheelarch, else dist/linux-x64/wheelarch
#   WHEELARCH_FIXTURES  what tests/nvcc/build_fixtures.sh made; default build/fixtures, built on first use
#   CUDA_ROOT           a toolkit with bin/nvcc and bin/cuobjdump; default the one in build/venv
#
# A scenario works in $work, a folder of its own that is removed, and ends with 0 (pass), 77 (skip; the last line says
# why) or anything else (failure). With CI=true a missing tool is a failure, not a skip.
# shellcheck shell=bash disable=SC2034  # variables here are for the scenarios
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scenario=$(basename "$0")
venv=$root/build/venv
tools=$root/build/tools

fail() {
  echo "$scenario: $*" >&2
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}
lacking() { # for want of a tool: a developer may lack it, CI may not
  [ "${CI:-}" != true ] || fail "CI lacks $*"
  skip "no $*"
}
need() { # need PROGRAM...
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || lacking "$program"
  done
}

if [ -z "${WHEELARCH:-}" ]; then
  WHEELARCH=$root/build/linux-x64/wheelarch
  [ -x "$WHEELARCH" ] || WHEELARCH=$root/dist/linux-x64/wheelarch
fi
[ -x "$WHEELARCH" ] || fail "no program to test at $WHEELARCH: build it, or set WHEELARCH"
WHEELARCH=$(realpath "$WHEELARCH")
need python3 diff

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Nothing of the caller's surroundings has a part in a result.
for variable in WHEELARCH_INPUTS WHEELARCH_TOKEN $(env | sed -nE 's/^((GITHUB|RUNNER)_[A-Z_0-9]*)=.*/\1/p'); do unset "$variable"; done
unset CUDA_HOME CUDA_PATH VIRTUAL_ENV CONDA_PREFIX
export LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=1700000000

toolkit=${CUDA_ROOT:-$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13)}
cuobjdump=$toolkit/bin/cuobjdump
need_cuobjdump() { [ -x "$cuobjdump" ] || lacking "cuobjdump in $toolkit: run .ci/setup"; }

fixtures=${WHEELARCH_FIXTURES:-$root/build/fixtures}
need_fixtures() {
  [ -z "${WHEELARCH_FIXTURES:-}" ] || return 0
  [ -x "$toolkit/bin/nvcc" ] || lacking "nvcc in $toolkit: run .ci/setup"
  local stamp
  stamp=$(cat "$root"/tests/nvcc/build_fixtures.sh "$root"/tests/nvcc/src/* "$root/.ci/requirements.txt" | sha256sum)
  mkdir -p "$root/build"
  ( # one scenario builds them, the others wait
    flock 9
    [ "$(cat "$fixtures/.stamp" 2>/dev/null)" = "$stamp" ] && exit 0
    NVCC=$toolkit/bin/nvcc "$root/tests/nvcc/build_fixtures.sh" "$fixtures" >"$work/fixtures.log" 2>&1 ||
      { cat "$work/fixtures.log" >&2; fail "the fixtures could not be built"; }
    echo "$stamp" >"$fixtures/.stamp"
  ) 9>"$root/build/fixtures.lock"
}

# wheel FIXTURE=MEMBER...: makes $wheel, in the working folder, of fixtures (or files, named by a path with a slash).
wheel=pkg-1.0-cp312-cp312-linux_x86_64.whl
wheel() { wheel_named "$wheel" "$@"; }
wheel_named() { # wheel_named FILE.whl FIXTURE=MEMBER...: it says of itself what its name says
  local name version tag
  IFS=- read -r name version tag < <(basename "$1" .whl)
  made_wheel "$1" "$name" "$version" "$tag" "${@:2}"
}
made_wheel() { # made_wheel FILE.whl|FOLDER NAME VERSION TAG FIXTURE=MEMBER...
  local out=$1 name=$2 version=$3 tag=$4 arguments=() pair
  shift 4
  for pair in "$@"; do
    case ${pair%%=*} in
      */*) arguments+=("$pair") ;;
      *) arguments+=("$fixtures/$pair") ;;
    esac
  done
  python3 "$root/tests/nvcc/make_wheel.py" "$out" "$name" "$version" "$tag" "${arguments[@]}" >/dev/null
}

# Runs a scenario's function once for each witness: $ask holds the options, $witnesses how the report names them.
each_witness() {
  need_cuobjdump
  ask=(--witness native)
  witnesses=native
  "$1"
  ask=(--witness both "--cuobjdump=$cuobjdump")
  witnesses="native, cuobjdump"
  "$1"
}

run() { # standard output and error go to the files out and err, the exit code to $code
  code=0
  "$WHEELARCH" "$@" >out 2>err </dev/null || code=$?
}
expect_exit() { # expect_exit CODE ARGUMENT...
  local want=$1
  shift
  run "$@"
  [ "$code" = "$want" ] || { cat out err >&2; fail "exit $code instead of $want: wheelarch $*"; }
}
# Sizes and offsets depend on the compiler and linker: they are compared as SIZE and OFFSET.
neutral() { sed -E 's/, [0-9.]+ (B|[KMG]iB)$/, SIZE/; s/offset 0x[0-9a-f]+/offset OFFSET/g' "$1"; }
expect_same() { # expect_same FILE NAME <WANTED: the whole text
  diff -u --label "$2 wanted" --label "$2 found" - <(neutral "$1") >&2 || fail "$2 differs"
}
fix() { # fix LIST: what a mismatch advises where LIST is what was found
  echo "build with the requested list; or, if this is meant, declare it: --arch-list \"$1\", in the package's YAML \`expect_archs: \"$1\"\`"
}
expect_output() { expect_same out "standard output" && expect_empty err; }
expect_error() { expect_same err "standard error" && expect_empty out; }
expect_empty() { [ ! -s "$1" ] || { cat "$1" >&2; fail "$1 is not empty"; }; }
expect_line() { # expect_line FILE LINE: the whole line is there, and nothing is said of the others
  grep -qxF -e "$2" "$1" || { cat "$1" >&2; fail "no line in $1: $2"; }
}

# remember FILE... before something that must leave these files as they are, expect_unchanged after it.
remember() { sha256sum "$@" >remembered; }
expect_unchanged() {
  sha256sum --check --quiet --strict remembered >&2 || fail "a file was changed"
}
expect_no_file() { # expect_no_file PATTERN...
  local found
  found=$(compgen -G "$1" || true)
  [ -z "$found" ] || fail "there should be no $found"
  [ $# = 1 ] || expect_no_file "${@:2}"
}
stamp_of() { unzip -p "$1" '*.dist-info/_build_info.json'; }
is_stamped() { unzip -Z1 "$1" | grep '\.dist-info/_build_info\.json$' >/dev/null; }

# expect_schema SCHEMA FILE...: by a schema of docs/.
expect_schema() {
  PATH=$venv/bin:$PATH need check-jsonschema
  "$venv/bin/check-jsonschema" --schemafile "$root/docs/$1" "${@:2}" >schema.log 2>&1 || { cat schema.log >&2; fail "$1"; }
}

# check_json FILE EXPRESSION...: each Python expression over the document `d` holds.
check_json() {
  python3 - "$@" <<'PYTHON' || fail "JSON is not as expected"
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    d = json.load(file)
def holds(expression):
    try:
        return eval(expression, {"d": d})
    except (KeyError, IndexError, TypeError):
        return False
failed = [e for e in sys.argv[2:] if not holds(e)]
for expression in failed:
    print("does not hold:", expression, file=sys.stderr)
if failed:
    print(json.dumps(d)[:4000], file=sys.stderr)
sys.exit(bool(failed))
PYTHON
}

# fake_cuobjdump VERSION <SCRIPT: makes ./fake/cuobjdump, which tells that version and otherwise runs the script.
fake_cuobjdump() {
  mkdir -p fake
  {
    echo "#!/bin/sh"
    echo "if [ \"\$1\" = --version ]; then"
    echo "  echo 'cuobjdump: NVIDIA (R) fat binary listing tool'"
    echo "  echo 'Cuda compilation tools, release $1, V$1.50'"
    echo "  exit 0"
    echo "fi"
    cat
  } >fake/cuobjdump
  chmod +x fake/cuobjdump
}

# edit_wheel FILE.whl <PYTHON: the script changes `members`, a dict of names to [ZipInfo, bytes]; `info` is the dist-info
# folder. RECORD is made anew afterwards, unless the script changed it.
edit_wheel() {
  python3 /dev/fd/9 "$1" 9<<'PYTHON' || fail "edit_wheel"
import base64, hashlib, os, sys, zipfile
def row(name, data):
    return f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
with zipfile.ZipFile(sys.argv[1]) as archive:
    members = {m.filename: [m, archive.read(m)] for m in archive.infolist()}
info = next(name for name in members if name.endswith("/RECORD")).split("/")[0]
old = members[f"{info}/RECORD"][1]
exec(sys.stdin.read())
for name, (member, data) in members.items():
    member.filename = name
record = f"{info}/RECORD"
if record in members and members[record][1] == old:
    rows = "".join(row(n, data) for n, (member, data) in members.items() if n != record and not member.is_dir())
    members[record][1] = (rows + f"{record},,\n").encode()
with zipfile.ZipFile(sys.argv[1] + ".new", "w", zipfile.ZIP_DEFLATED) as archive:
    for member, data in members.values():
        archive.writestr(member, data)
os.replace(sys.argv[1] + ".new", sys.argv[1])
PYTHON
}

# zip_named FILE.whl PYTHON_LIST LIBRARY: a wheel whose members have the names in the list, each with the same bytes.
# QQ in a name stands for two bytes that are no UTF-8.
zip_named() {
  python3 - "$@" <<'PYTHON'
import ast, os, sys, zipfile
name, version, tag = os.path.basename(sys.argv[1])[:-4].split("-", 2)
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for member in ast.literal_eval(sys.argv[2]):
        archive.writestr(zipfile.ZipInfo(member), open(sys.argv[3], "rb").read())
    info = f"{name}-{version}.dist-info"
    archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n")
    archive.writestr(f"{info}/RECORD", f"{info}/RECORD,,\n")
data = open(sys.argv[1], "rb").read().replace(b"QQ", b"\xff\xfe")
open(sys.argv[1], "wb").write(data)
PYTHON
}
# No line of a log may be a workflow command that the program did not mean.
expect_no_command() { # expect_no_command FILE...
  ! grep -anoE '##\[.{0,60}|^[[:space:]]*::.{0,60}' "$@" >&2 || fail "a workflow command"
}
# Annotations may come on either stream: a runner reads both.
annotations() { cat out err | grep '^::' || true; }
without_annotations() { grep -v '^::' "$1" || true; }
# Nor may a text for people move the terminal, or be no text.
expect_harmless() { # expect_harmless FILE...
  expect_no_command "$@"
  ! grep -anP '[\x00-\x08\x0b-\x1f\x7f]|[\x{200b}-\x{200f}]|[\x{2028}-\x{202e}]' "$@" >&2 || fail "a control character"
  python3 -c 'import sys; [open(f, encoding="utf-8").read() for f in sys.argv[1:]]' "$@" || fail "no UTF-8"
}
