#!/usr/bin/env bash
# The workflow of a release, run by act, but for the attestation: a tag that is not the version, a commit that CI has not
# passed and a dist/ that lacks a platform publish nothing; what is right is published whole and once, and the moving tag
# goes to it, but never back.
. "$(dirname "$0")/farm_lib.sh"
make_remote remote.git
make_repository
mkdir dist/linux-arm64 dist/windows-x64
echo arm64 >dist/linux-arm64/wheelarch
echo windows >dist/windows-x64/wheelarch.exe
version=$("$WHEELARCH" --version | cut -d' ' -f2)
all_of_dist() { (cd dist && sha256sum linux-arm64/wheelarch linux-x64/wheelarch windows-x64/wheelarch.exe >SHA256SUMS); }
of_version() { echo "project(wheelarch VERSION $1 LANGUAGES C CXX ASM)" >CMakeLists.txt; }
all_of_dist
of_version "$version"
take_workflow release <<'PYTHON'
attest = [s for s in jobs["publish"]["steps"] if s.get("uses", "").startswith("actions/attest@")]
assert [s["with"] for s in attest] == [{"subject-checksums": "dist/SHA256SUMS"}]
jobs["publish"]["steps"].remove(attest[0])
PYTHON
push_repository

# release CODE TAG [CONCLUSION]: of what is at hand, on which CI ended so.
release() {
  push_repository
  git push -q --force origin "HEAD:refs/tags/$2"
  jq --arg commit "$(git rev-parse HEAD)" --arg git "$work/remote.git" --arg conclusion "${3:-success}" \
    '. + {git: $git, immutable: true, runs: [{head_sha: $commit, conclusion: "failure"}, {head_sha: $commit, conclusion: $conclusion}]}' \
    "$work/says.json" >"$work/new.json"
  mv "$work/new.json" "$work/says.json"
  jq -n --arg ref "refs/tags/$2" '{ref: $ref}' >"$work/event.json"
  run_workflow push "$1" --eventpath "$work/event.json"
}
releases() { jq -c '[.releases // {} | to_entries[] | {(.key): ([.value[].path | split("/")[-1]] | sort)}]' "$work/says.json"; }
nothing_published() { [ "$(releases)" = "[]" ] || { releases >&2; fail "something was published"; }; }
moved_to() { # moved_to MAJOR TAG
  [ "$(git -C "$work/remote.git" rev-parse "refs/tags/$1")" = "$(git -C "$work/remote.git" rev-parse "refs/tags/$2")" ] || fail "$1 is not $2"
}

release 1 v99.0.0
in_log "the tag is v99.0.0, but CMakeLists.txt says $version"
release 1 "v$version" failure
in_log "CI has not passed"
sed -i /arm64/d dist/SHA256SUMS
release 1 "v$version"
in_log "dist/SHA256SUMS has other files"
all_of_dist
echo changed >dist/linux-arm64/wheelarch
release 1 "v$version"
in_log "linux-arm64/wheelarch: FAILED"
nothing_published

# An upload that fails, and one that arrives as something else: what there is stays a draft, and the next run goes on with it.
all_of_dist
release_with() { # release_with FAULTS CODE
  jq --argjson faults "$1" '.faults = $faults' "$work/says.json" >"$work/new.json"
  mv "$work/new.json" "$work/says.json"
  release "$2" "v$version"
}
still_a_draft() { [ "$(jq -c .drafts "$work/says.json")" = "[\"v$version\"]" ] || fail "it is no draft"; }
release_with '{"name=wheelarch-windows": {"status": 403, "body": "{\"message\": \"no\"}"}}' 1
still_a_draft
release_with '{"/releases/assets/": {"method": "GET", "body": "something else", "type": "application/octet-stream"}}' 1
still_a_draft
in_log "differ"
if git -C "$work/remote.git" rev-parse --verify --quiet "refs/tags/v${version%%.*}" >&2; then fail "the tag was set before anything was published"; fi
release_with '{}' 0
files='["SHA256SUMS","wheelarch-linux-arm64","wheelarch-linux-x64","wheelarch-windows-x64.exe"]'
[ "$(releases)" = "[{\"v$version\":$files}]" ] || { releases >&2; fail "something else was published"; }
[ "$(jq -c .drafts "$work/says.json")" = "[]" ] || fail "it is still a draft"
(cd "$work/says.json.uploaded/v$version" && sha256sum --check --quiet --strict SHA256SUMS) || fail "SHA256SUMS is not of these files"
cmp "$work/says.json.uploaded/v$version/wheelarch-linux-x64" "$WHEELARCH" || fail "another program was published"
major=v${version%%.*}
moved_to "$major" "v$version"

# Once more: a release never changes. An older one that is published later does not move the tag back.
release 1 "v$version"
in_log "v$version is published already"
git -C "$work/remote.git" tag -f "v$version" "$major" >"$work/out" 2>&1
jq --arg tag "${major}.999.0" '.releases[$tag] = [] | .immutable = false' "$work/says.json" >"$work/new.json"
jq --arg tag "v$version" 'del(.releases[$tag])' "$work/new.json" >"$work/says.json"
before=$(git -C "$work/remote.git" rev-parse "$major")
echo new >>dist/linux-arm64/wheelarch
all_of_dist
release 0 "v$version"
in_log "$major stays at ${major}.999.0"
[ "$(git -C "$work/remote.git" rev-parse "$major")" = "$before" ] || fail "the tag was moved"
