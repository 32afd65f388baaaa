#!/usr/bin/env bash
# Stamped wheels pass what users and indexes do with them: pip and uv install them, importlib.metadata reads the stamp,
# `wheel unpack`, check-wheel-contents, twine and unzip take them, and every old file is byte for byte as it was.
#
#   tests/real/installers.sh [WHEEL...]     (default: the wheels of tests/example, and some made of the fixtures)
#
# Wheels given are left as they are: copies are stamped. Those of another platform or Python are not installed.
. "$(dirname "$0")/../cli/lib.sh"
export PATH=$venv/bin:$PATH
need uv twine check-wheel-contents wheel unzip

given=()
for file in "$@"; do given+=("$(cd "$OLDPWD" && realpath "$file")"); done
mkdir wheels tried
if [ ${#given[@]} = 0 ]; then
  need_fixtures
  cp "$root"/tests/example/{example,narrow,rdc,stub}_pkg-*.whl wheels/
  python=$("$venv/bin/python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  made_wheel wheels here_pkg 1.0+cu130torch2.9 "$python-$python-linux_x86_64" ext_90a.so=here_pkg/_C.so plain_host.so=here_pkg/tool
  made_wheel wheels any_pkg 2.0 py2.py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64 rdc.so=any_pkg/_C.so
  made_wheel wheels win_pkg 1.0 cp312-cp312-win_amd64 pe_short_name.pyd=win_pkg/_C.pyd
else
  cp "${given[@]}" wheels/
fi

quiet() { # quiet COMMAND...: its output is shown if it fails
  "$@" >log 2>&1 || { cat log >&2; fail "$*"; }
}
# In the installed distribution, every file is as RECORD of the wheel has it, and the stamp can be read.
read_stamp() { # read_stamp WHEEL PYTHON INSTALLER
  "$2" - "$1" <<'PYTHON' || fail "$1 is not well installed by $3"
import importlib.metadata, json, os, sys, zipfile
distribution = importlib.metadata.distribution(os.path.basename(sys.argv[1]).split("-")[0])
stamp = json.loads(distribution.read_text("_build_info.json"))
assert stamp["schema"] == 2 and stamp["members"], stamp
installed = {str(file): file for file in distribution.files}
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in archive.namelist():
        if name.endswith("/") or name.endswith(".dist-info/RECORD") or ".data/" in name:
            continue
        assert installed[name].locate().read_bytes() == archive.read(name), name
assert any(name.endswith("_build_info.json") and file.hash for name, file in installed.items())
PYTHON
}
# Every file but RECORD and the stamp, with its attributes.
same_files() { # same_files OLD NEW
  "$venv/bin/python" - "$@" <<'PYTHON' || fail "$2 has other files"
import sys, zipfile
def files(path):
    with zipfile.ZipFile(path) as archive:
        for m in archive.infolist():
            if not m.filename.endswith((".dist-info/RECORD", ".dist-info/_build_info.json")):
                yield m.filename, m.CRC, m.file_size, m.compress_size, m.date_time, m.external_attr, archive.read(m)
assert list(files(sys.argv[1])) == list(files(sys.argv[2]))
PYTHON
}
# What linters of wheels object to; a wheel that lacks a description has that before and after.
objections() { # objections WHEEL
  { check-wheel-contents --no-config "$1" || true; COLUMNS=1000 twine --no-color check --strict "$1" || true; } 2>&1 | sed "s|$(dirname "$1")/||"
}
can_install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --dry-run "$1" >log 2>&1; }

quiet uv venv --quiet --offline --python "$venv/bin/python" by-uv
quiet "$venv/bin/python" -m venv by-pip
installed=0
for old in wheels/*.whl; do
  name=$(basename "$old")
  new=tried/$name
  cp "$old" "$new"
  expect_exit 0 stamp --witness native "$new"
  same_files "$old" "$new"
  quiet unzip -tq "$new"
  quiet "$venv/bin/python" "$root/tests/real/index_rules.py" "$new"
  mkdir "unpacked-$name"
  quiet "$venv/bin/python" -m wheel unpack --dest "unpacked-$name" "$new"
  objections "$old" >old.log
  objections "$new" >new.log
  diff old.log new.log >&2 || fail "other objections to $name than before it was stamped"
  if can_install "$new"; then
    installed=$((installed + 1))
    quiet by-pip/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index "$new"
    read_stamp "$new" by-pip/bin/python pip
    quiet uv pip install --quiet --offline --no-deps --no-index --python by-uv/bin/python "$new"
    read_stamp "$new" by-uv/bin/python uv
  fi
  rm -rf "unpacked-$name"
done
[ $installed -ge 1 ] || fail "no wheel is for this machine and Python: none was installed"
echo "$(find wheels -name '*.whl' | wc -l) wheels stamped, $installed of them installed by pip and uv"
