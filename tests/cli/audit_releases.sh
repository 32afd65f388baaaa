#!/usr/bin/env bash
# audit and ledger backfill of the wheels of a farm's releases, which the real gh downloads one at a time: by the web's
# addresses, or by the API where the repository is private; a download that is damaged is unreadable.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/plan_lib.sh"
. "$root/tests/cli/gh_lib.sh"
. "$root/tests/ledger/lib.sh"
need_fixtures
export HOME=$work TMPDIR=$work/scratch
mkdir -p released/a released/b scratch farm/packages
local=1.0+cu130torch2.9
tag=cp312-cp312-linux_x86_64
for name in a_pkg b_pkg; do made_wheel "released/${name%_pkg}" $name $local $tag compress_none.so=$name/_C.so; done
a=a_pkg-$local-$tag.whl b=b_pkg-$local-$tag.whl
made_wheel released/b b_pkg 1.1+cu130torch2.9 $tag ext_no_ptx.so=b_pkg/_C.so
b2=b_pkg-1.1+cu130torch2.9-$tag.whl
git init -q farm
cat >farm/packages/_defaults.yml <<'YAML'
combinations:
  - {cuda: "13.0", pytorch: "2.9.0", python_versions: ["3.12"]}
platforms: ["linux"]
arch_policy: {"13.0": "8.0;9.0+PTX"}
YAML
for name in a_pkg b_pkg; do printf 'name: %s\nversion: "1.0"\nsource_repo: example-org/x\nsource_tag: v1\n' $name >farm/packages/$name.yml; done
gh=(--witness native --farm farm --repo example-org/farm)
released() { # released [MORE]: what GitHub has from now on; MORE goes before the rest of the second asset's fields
  says '{"releases": {"a_pkg-latest": [{"path": "'"$work/released/a/$a"'"}, "SHA256SUMS", {"name": "a_pkg-1.1-'$tag'.whl", "state": "starter", "size": 0}],
    "b_pkg-latest": [{"path": "'"$work/released/b/$b"'"'"${1:-}"'}, {"path": "'"$work/released/b/$b2"'"}], "other-latest": ["other-1.0-py3-none-any.whl"]}'"${2:-}"'}'
}
released
# gh reads the address of the socket from its own configuration, and finds it by an absolute path.
expect_exit 0 ledger backfill "${gh[@]}" --json result.json
expect_line out "3 wheels: 3 inferred, 0 inferred before, 0 recorded by their builds, 0 not recorded"
grep -qx "warning\[unfinished-upload\] 1 asset was not uploaded to the end and does not count: a_pkg-1.1-$tag.whl" err || { cat err >&2; fail "not named"; }
check_json result.json 'd["added"] == 3 and d["wheels"] == 3'
expect_ledger farm/.git 3 1
git -C farm show "wheel-ledger:b_pkg/$b2.json" >entry.json
check_json entry.json 'd["wheel"]["sha256"] == "'"$(sha256sum <"released/b/$b2" | cut -d' ' -f1)"'"'
[ -z "$(ls scratch)" ] || fail "something is left: $(ls -R scratch)"
! grep -q other-latest says.json.log || fail "a release was asked for that is no package's"
# The token goes to GitHub, and not to where its answer leads.
grep -q "^/1000 nobody$" says.json.log || { cat says.json.log >&2; fail "who was asked for the content?"; }
! grep -q "^/releases/assets" <(asked) || fail "the API was asked for what the web has"

# Again: what the releases state is what was recorded, so nothing is downloaded.
released
expect_exit 0 ledger backfill "${gh[@]}"
expect_line out "3 wheels: 0 inferred, 3 inferred before, 0 recorded by their builds, 0 not recorded"
! grep -q download says.json.log || fail "it was downloaded again"

released
expect_exit 0 audit "${gh[@]}" --json audit.json
check_json audit.json 'd["counts"] == {"ok": 2, "config-moved": 1, "unrecorded": 0, "wheel-wrong": 0, "unreadable": 0}' \
  '[r["file"] for r in d["results"]] == ["a_pkg-latest/'$a'", "b_pkg-latest/'$b'", "b_pkg-latest/'$b2'"]'
expect_exit 0 audit "${gh[@]}" --package b-pkg --json audit.json
check_json audit.json 'd["wheels"] == 2'

# A private repository: the web does not have them for whoever is no browser.
released '' ', "private": True'
expect_exit 0 audit "${gh[@]}" --json private.json
check_json private.json 'd["counts"]["ok"] == 2 and d["counts"]["config-moved"] == 1'
[ "$(grep -c '^/repos/example-org/farm/releases/assets/' says.json.log)" = 3 ] || { cat says.json.log >&2; fail "not by the API"; }

# By what the release states alone.
released
expect_exit 0 audit "${gh[@]}" --by-digest --json digest.json
! grep -q download says.json.log || fail "--by-digest downloaded"
check_json digest.json 'd["counts"]["ok"] == 2 and d["counts"]["config-moved"] == 1' \
  'all(any(f["rule"] == "by-digest" for f in r["findings"]) for r in d["results"])'

# Damaged on the way: cut short, or another content than the release states. The others are judged all the same.
released ', "size": 99999'
expect_exit 3 audit "${gh[@]}" --json damaged.json
check_json damaged.json 'd["counts"]["unreadable"] == 1 and d["counts"]["ok"] == 1'
expect_line out "error[unreadable] b_pkg-latest/$b: the download is damaged: its release states 99999 bytes, $(stat -c %s "released/b/$b") came"
released ', "digest": "sha256:'"$(printf '0%.0s' {1..64})"'"'
expect_exit 3 audit "${gh[@]}"
grep -q "^error\[unreadable\] b_pkg-latest/$b: the download is damaged: its release states the sha256 0000" out || { cat out >&2; fail "another content"; }
released ', "size": 100'
expect_exit 3 ledger backfill "${gh[@]}" --replace
expect_line out "error[unreadable] b_pkg-latest/$b: the download is damaged: its release states 100 bytes, more came"
[ -z "$(ls scratch)" ] || fail "something is left: $(ls -R scratch)"

# A name that no wheel has.
says '{"releases": {"a_pkg-latest": [{"path": "'"$work/released/a/$a"'", "name": "\x1b[31m::error::x/../../a_pkg-1.0-cp312-cp312-linux_x86_64.whl"}]}}'
for command in audit "ledger backfill"; do
  # shellcheck disable=SC2086
  expect_exit 3 $command "${gh[@]}" --json hostile.json
  expect_harmless out err hostile.json
  grep -q "its name has characters that no wheel file name has" out || { cat out >&2; fail "its name"; }
  ! grep -q /releases/download says.json.log || fail "it was downloaded"
done

# A server that fails: gh's own words.
released '' ', "faults": {"/releases/assets/": {"status": 502, "body": "{\"message\": \"Bad Gateway\"}"}}, "private": True'
expect_exit 3 audit "${gh[@]}" --package a_pkg
grep -q "^error\[unreadable\] a_pkg-latest/$a: gh failed with exit code 1: .*(HTTP 502), asked for the asset $a$" out || { cat out >&2; fail "its words"; }

# A release that was replaced since: the old entry is not of it.
cp "released/b/$b2" saved
made_wheel released/b b_pkg 1.1+cu130torch2.9 $tag compress_none.so=b_pkg/_C.so
released
expect_exit 1 audit "${gh[@]}" --by-digest --json replaced.json
check_json replaced.json 'd["counts"]["wheel-wrong"] == 1'
expect_line out "b_pkg-latest/$b2: wheel-wrong"
[ "$(grep -c '/download/' says.json.log)" = 1 ] || fail "only what differs is downloaded"

# One list for all shards: gh is only asked for what is in it.
released
GH_REPO=example-org/farm gh api --paginate repos/example-org/farm/releases/101/assets?per_page=100 >assets.json
rm says.json.log
for i in 1 2; do
  run audit "${gh[@]}" --existing assets.json --shard $i/2 --json shard$i.json
  check_json shard$i.json 'd["wheels"] == 2'
done
expect_exit 1 audit --merge shard1.json shard2.json --json -
check_json out '[r["file"] for r in d["results"]] == ["b_pkg-latest/'$b'", "b_pkg-latest/'$b2'"]'
! grep -q '/repos/' says.json.log || { cat says.json.log >&2; fail "it was listed again"; }
expect_exit 3 ledger backfill "${gh[@]}" --existing assets.json --package a_pkg
# A list may come from anybody: one that leads to another server is an error, and gh is not asked at all.
sed 's|https://github.com/|https://elsewhere.example.org/|' assets.json >moved.json
rm -f says.json.log
expect_exit 3 audit "${gh[@]}" --existing moved.json
grep -q '^error: --existing moved.json: the asset .* has the browser_download_url https://elsewhere.example.org/' err || { cat err >&2; fail "another server"; }
expect_exit 3 ledger backfill "${gh[@]}" --existing moved.json
expect_no_file says.json.log
echo '["x.whl"]' >names.json
expect_exit 3 audit "${gh[@]}" --existing names.json
grep -qx "error: --existing names.json: an item of the list is a name alone" err || { cat err >&2; fail "a list of names"; }

# What cannot be meant.
expect_exit 2 audit "${gh[@]}" released/a
expect_error <<'EOT'
error: wheels are named, and with --gh, --repo or --existing releases too
    fix: give one of the two
EOT
expect_exit 2 audit "${gh[@]}" --package c_pkg
expect_exit 2 audit --witness native --farm farm --by-digest released/a
says '{"releases": {}}'
expect_exit 3 audit "${gh[@]}"
expect_error <<'EOT'
error: there is no wheel in the releases of a_pkg, b_pkg
    fix: a wheel is looked for in the release PACKAGE-latest: check --repo and --package
EOT
