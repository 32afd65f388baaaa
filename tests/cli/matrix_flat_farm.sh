#!/usr/bin/env bash
# The grid of a real farm in the flat layout, row for row in every column; and the same when it is filtered.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
need_shared
farm=$shared_farm/flat
# One of its lists cannot be built by its newest CUDA, which is said; the matrix is there all the same.
expect_exit 0 matrix --farm "$farm" --existing nothing --output grid.json --json result.json
grep -q "^warning\[cuda-lacks-arch\] .*/pyg_lib.yml:7: " err || { said >&2; fail "pyg_lib is not named"; }
python3 - "$shared_farm/expected-flat.tsv.gz" <<'PYTHON' || fail "the grid differs"
import collections, gzip, json, sys
with gzip.open(sys.argv[1], "rt", encoding="utf-8", newline="") as file:
    header, *wanted = file.read().replace("\r", "").split("\n")[:-1]
matrix = json.load(open("grid.json", encoding="utf-8"))
found = ["\t".join(str(row[column]) for column in header.split("\t"))
         for name, rows in matrix.items() if not name.endswith("_link") for row in rows["include"]]
lost, more = collections.Counter(wanted) - collections.Counter(found), collections.Counter(found) - collections.Counter(wanted)
print(len(wanted), "rows wanted,", len(found), "found", *list(lost)[:3], "found instead", *list(more)[:3], sep="\n", file=sys.stderr)
sys.exit(len(wanted) != 11303 or bool(lost) or bool(more))
PYTHON
[ "$(wc -l <grid.json)" = 1 ] || fail "not one line"
check_rows grid.json 'all(row["build_epoch"] == 1 and row["exists_key"].endswith("@epoch1") for row in rows)' \
  'all(row["platform"] == name.split("_link")[0].split("_chain")[0] for name in d for row in d[name]["include"])' \
  'all(row["sequential_checkpoint"] > 0 for name in d if name.endswith("_chain") for row in d[name]["include"])' \
  'all("shard_index" not in row and row["shard_count"] > 1 for name in d if name.endswith("_link") for row in d[name]["include"])'

# Its own output, filtered: the same again.
expect_exit 0 matrix --farm "$farm" --existing nothing --from grid.json --output again.json
cmp grid.json again.json || fail "--from changed it"
# All pages together are the whole.
check_json result.json "d['pages'] > 1 and d['jobs'] == sum(d['lists'].values())"
python3 - <<'PYTHON' || fail "the pages differ from the whole"
import collections, json
whole, result = json.load(open("grid.json")), json.load(open("result.json"))
pages = [json.load(open(f"grid.page{i + 1}.json")) for i in range(result["pages"])]
rows = lambda matrix: collections.Counter(json.dumps([name, row]) for name in matrix for row in matrix[name]["include"])
assert sum((rows(page) for page in pages), collections.Counter()) == rows(whole)
assert all(page.keys() == whole.keys() for page in pages)
assert all(len(page[name]["include"]) <= 256 for page in pages for name in page)
units = [len(open(f"grid.page{i + 1}.json", encoding="utf-8").read().encode("utf-16-le")) // 2 for i in range(result["pages"])]
assert max(units) <= 500_001, units  # and the newline
assert result["matrix"] == pages[0]
PYTHON

# The split farm: rows and links.
expect_exit 0 matrix --farm "$shared_farm/split" --existing nothing --output split.json
check_rows split.json 'sum(len(d[name]["include"]) for name in d if not name.endswith("_link")) == 29247' 'len(rows) == 30093'
expect_exit 0 matrix --farm "$shared_farm/split" --existing nothing --from split.json --output again.json
cmp split.json again.json || fail "--from changed it"

# Every wheel is there: nothing to build. All but one of them: one row.
names_of split.json >names
expect_exit 0 matrix --farm "$shared_farm/split" --existing names --output none.json --json result.json
check_json result.json 'd["jobs"] == 0' 'd["existing"] == 30093'
sed -i '/^mmcv-.*+cu128torch2.8-cp312-cp312-win_amd64.whl$/d' names
expect_exit 0 matrix --farm "$shared_farm/split" --existing names --output one.json
check_rows one.json 'len(keys) == 1 and keys[0].startswith("mmcv-") and keys[0].endswith("+cu128torch2.8-cp312-windows@epoch1")'
