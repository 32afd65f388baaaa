#!/usr/bin/env bash
# GitHub's limits: 256 jobs of one matrix, and an output of half a million characters. What is over is cut into pages.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
small_farm split
rows() { # rows PYTHON >FILE: rows of `row(number, FIELD=VALUE...)`
  python3 - "$1" <<'PYTHON'
import json, sys
def row(number, **fields):
    return {"package": "example_attn", "version": f"1.{number}", "cuda": "12.8", "pytorch": "2.8.0", "python": "3.12", "platform": "linux"} | fields
print(json.dumps(eval(sys.argv[1])))
PYTHON
}
cut() { # cut PAGE: the matrix in.json
  rm -f out*.json
  expect_exit 0 matrix --farm farm --all --from in.json --output out.json --json result.json --page "$1"
}
is_whole() { # is_whole PAGES: together they are the whole, each within the limits
  python3 - "$1" <<'PYTHON' || fail "pages"
import glob, json, sys
def rows(path):
    matrix = json.load(open(path))
    lists = {"": matrix} if isinstance(matrix, list) else {"": matrix["include"]} if "include" in matrix else {n: m["include"] for n, m in matrix.items()}
    assert all(len(rows) <= 256 for rows in lists.values()) or path == "out.json", path
    return sorted(json.dumps([name, row]) for name, rows in lists.items() for row in rows)
pages = [f"out.page{i + 1}.json" for i in range(int(sys.argv[1]))]
assert sorted(glob.glob("out.page*.json")) == sorted(pages), glob.glob("out.page*.json")
assert sorted(sum((rows(page) for page in pages), [])) == rows("out.json")
sizes = [len(open(page, encoding="utf-8").read()[:-1].encode("utf-16-le")) // 2 for page in pages]
assert all(size <= 500_000 for size in sizes), sizes
PYTHON
}

rows '[row(i) for i in range(256)]' >in.json
cut 1
is_whole 1
expect_output <<<"256 jobs"
check_json result.json '(d["jobs"], d["pages"], d["page"], d["page_jobs"]) == (256, 1, 1, 256)'
rows '[row(i) for i in range(257)]' >in.json
cut 1
is_whole 2
expect_same out "standard output" <<<"257 jobs in 2 pages; page 1 has 256, 1 remains"
expect_same err "standard error" <<'EOT2'
warning[matrix-pages] 257 jobs in 2 pages; page 1 has 256, 1 remains
    fix: GitHub takes 256 jobs of one matrix and about half a million characters of output: run the rest with --page
EOT2
check_json result.json '(d["jobs"], d["pages"], d["page"], d["page_jobs"]) == (257, 2, 1, 256)' 'len(d["matrix"]) == 256' 'd["output"] == "out.json"'
cut 2
is_whole 2
expect_same out "standard output" <<<"257 jobs in 2 pages; page 2 has 1, 0 remain"
expect_empty err
check_json result.json '(d["page"], d["page_jobs"]) == (2, 1)' '[row["version"] for row in d["matrix"]] == ["1.256"]'
# Without --output the page itself is printed, alone.
expect_exit 0 matrix --farm farm --all --from in.json --page 2
diff out out.page2.json || fail "another page was printed"
expect_same err "standard error" <<<"257 jobs in 2 pages; page 2 has 1, 0 remain"
refused_page() { # refused_page PAGE PAGES
  rm -f out*.json
  expect_exit 2 matrix --farm farm --all --from in.json --output out.json --page "$1"
  expect_error <<EOT2
error: there is no page $1
    fix: the matrix has $2 of them
EOT2
  expect_no_file 'out*.json'
}
refused_page 3 2
refused_page 999999 2
expect_exit 2 matrix --farm farm --all --from in.json --page 0
expect_exit 2 matrix --farm farm --all --from in.json --page=-1
expect_exit 2 matrix --farm farm --all --from in.json --page x

# The limit is of each list: two lists of 256 are one page.
rows '{"linux": {"include": [row(i) for i in range(256)]}, "windows": {"include": [row(i, platform="windows") for i in range(256)]}}' >in.json
cut 1
is_whole 1
check_json result.json '(d["jobs"], d["pages"], d["page_jobs"], d["lists"]) == (512, 1, 512, {"linux": 256, "windows": 256})'
rows '{"linux": {"include": [row(i) for i in range(300)]}, "windows": {"include": [row(i, platform="windows") for i in range(600)]}}' >in.json
cut 1
is_whole 3
check_json result.json '(d["jobs"], d["pages"], d["page_jobs"]) == (900, 3, 512)'

# The output's size: in UTF-16 units, of which an emoji has two. No page is over, and no more pages than needed.
for text in x é 😀; do
  rows '[row(i, text="'$text'" * 9000) for i in range(100)]' >in.json
  cut 1
  is_whole "$([ $text = 😀 ] && echo 4 || echo 2)"
done
rows '[row(1, text="x" * 600000)]' >in.json
expect_exit 2 matrix --farm farm --all --from in.json --output out.json
grep -q '^error: example_attn 1.1, CUDA 12.8, torch 2.8.0, Python 3.12, linux has 1 job' err || { cat err >&2; fail "one row that is too much"; }

# The shards of a cell and the row that links them are never parted.
rows '{"linux": {"include": [row(i, shard_index=s + 1, shard_count=7) for i in range(100) for s in range(7)]}, "linux_link": {"include": [row(i, shard_count=7) for i in range(100)]}}' >in.json
cut 1
is_whole 3
python3 - <<'PYTHON' || fail "parted"
import json
for i in (1, 2, 3):
    page = json.load(open(f"out.page{i}.json"))
    versions = [row["version"] for row in page["linux"]["include"]]
    assert sorted(versions) == sorted([row["version"] for row in page["linux_link"]["include"]] * 7)
PYTHON
rows '{"linux": {"include": [row(1, shard_index=s + 1, shard_count=257) for s in range(257)]}}' >in.json
expect_exit 2 matrix --farm farm --all --from in.json --output out.json
expect_error <<'EOT2'
error: example_attn 1.1, CUDA 12.8, torch 2.8.0, Python 3.12, linux has 257 jobs, more than one page of a matrix takes
    fix: give it fewer shards: at most 256 jobs of a list
EOT2

# Nothing to build: all lists are there, empty; pages of an earlier run are not taken for this one's.
rows '{"linux": {"include": [row(i) for i in range(300)]}}' >in.json
expect_exit 0 matrix --farm farm --all --from in.json --output out.json
python3 -c 'for i in range(300): print(f"example_attn-1.{i}+cu128torch2.8-cp312-cp312-linux_x86_64.whl")' >assets
sed -i '/^build_epoch/d' farm/defaults/arch_policy.yml
expect_exit 0 matrix --farm farm --existing assets --from in.json --output out.json --json result.json
expect_output <<<"nothing to build"
check_json result.json '(d["jobs"], d["pages"], d["page"], d["page_jobs"], d["existing"]) == (0, 0, 1, 0, 300)' 'd["matrix"] == {"linux": {"include": []}}'
expect_same out.json "the matrix" <<<'{"linux":{"include":[]}}'
expect_no_file 'out.page*.json'
