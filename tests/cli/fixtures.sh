#!/usr/bin/env bash
# What each file made by nvcc holds, image by image, is what EXPECTED.tsv says, by both witnesses.
. "$(dirname "$0")/lib.sh"
need_fixtures
need_cuobjdump
expected=$root/tests/nvcc/EXPECTED.tsv
mapfile -t names < <(grep -v -e '^#' -e '^file' "$expected" | cut -f1)
[ ${#names[@]} -ge 30 ] || fail "only ${#names[@]} fixtures are expected"
for name in "${names[@]}"; do
  [ -f "$fixtures/$name" ] || { [[ $name == pe_* ]] && lacking "$name: build_fixtures.sh found no mingw"; fail "no $name"; }
done

compare() { # the files' images, from the JSON in out, against the table
  python3 - "$expected" out <<'PYTHON' || fail "images differ"
import json, os, sys

def number(image):
    return {"sass": "", "ptx": "ptx:", "lto-ir": "lto:"}[image["kind"]] + image["arch"].split("_")[1]

def by_region(images, name):
    regions = sorted({i["region"] for i in images})
    return " | ".join(" ".join(name(i) for i in images if i["region"] == r) for r in regions) or "-"

def columns(images):
    images = sorted(images, key=lambda i: (i["region"], i["kind"] == "ptx"))  # the table has SASS first
    reloc = [i for i in images if i["section"].startswith("__nv_rel")]
    linked = [i for i in images if i not in reloc]
    code = [[i for i in linked if i["kind"] == kind and not i["kernelless"]] for kind in ("sass", "ptx")]
    count = [sum(i["kind"] == kind for i in images) for kind in ("sass", "ptx")]
    bare = lambda i: number(i).removeprefix("ptx:")
    return [by_region(code[0], bare), by_region(code[1], bare), " ".join(number(i) for i in linked if i["kernelless"]) or "-",
            by_region(reloc, number)] + [str(c) for c in count]

table = [line.rstrip("\n").split("\t") for line in open(sys.argv[1]) if not line.startswith("#")][1:]
table = {row[0]: [cell.removesuffix(" | -") for cell in row[1:]] for row in table}
different = 0
for file in json.load(open(sys.argv[2]))["files"]:
    found, wanted = columns(file["images"]), table[os.path.basename(file["path"])]
    if any(w not in ("-", f) if i > 3 else w != f for i, (w, f) in enumerate(zip(wanted, found))):
        different += 1
        print(os.path.basename(file["path"]), "wanted", wanted, "found", found, file=sys.stderr)
sys.exit(different > 0)
PYTHON
}
expect_exit 0 inspect --images --json - --witness native "${names[@]/#/$fixtures/}"
compare
# cuobjdump is not asked about PTX text; of the rest it sees image by image what we see, or the run were exit 3.
others=()
for name in "${names[@]}"; do [[ $name == *.ptx ]] || others+=("$fixtures/$name"); done
expect_exit 0 inspect --images --json - --witness both --cuobjdump "$cuobjdump" "${others[@]}"
check_json out 'len(d["files"]) == '${#others[@]}
compare
expect_exit 3 inspect --witness both --cuobjdump "$cuobjdump" "$fixtures/loose_86.ptx"
expect_line err "error: loose_86.ptx: cuobjdump does not read PTX text"
