#!/usr/bin/env bash
# Which run stamped the wheel: from the runner's environment, all six; nothing of it outside of GitHub Actions.
. "$(dirname "$0")/lib.sh"
need_fixtures
need unzip
export GITHUB_SERVER_URL=https://example.org GITHUB_REPOSITORY=example-org/farm GITHUB_RUN_ID=123456789012 GITHUB_RUN_ATTEMPT=2
export GITHUB_WORKFLOW_REF='example-org/farm/.github/workflows/build.yml@refs/heads/$(touch pwned)' GITHUB_SHA=1111111111111111111111111111111111111111
gate=(gate --arch-list "8.0;9.0" --witness native)
wheel ext_no_ptx.so=pkg/_C.so
expect_exit 0 "${gate[@]}" $wheel
check_json $wheel.ledger.json 'd["run"] == dict.fromkeys(["server", "repository", "run_id", "run_attempt", "workflow_ref", "sha"])'

export GITHUB_ACTIONS=true
expect_exit 0 "${gate[@]}" $wheel
stamp_of $wheel >stamp.json
for file in stamp.json $wheel.ledger.json; do
  check_json "$file" 'd["run"] == {"server": "https://example.org", "repository": "example-org/farm", "run_id": "123456789012",
    "run_attempt": "2", "workflow_ref": "example-org/farm/.github/workflows/build.yml@refs/heads/$(touch pwned)", "sha": "1" * 40}'
done
expect_schema build-info.schema.json stamp.json
expect_schema ledger-entry.schema.json $wheel.ledger.json
expect_no_file pwned

# Another attempt of the run changes the stamp, the same one does not.
before=$(sha256sum <$wheel)
expect_exit 0 "${gate[@]}" $wheel
[ "$(sha256sum <$wheel)" = "$before" ] || fail "the same run changed the wheel"
export GITHUB_RUN_ATTEMPT=3
expect_exit 0 "${gate[@]}" $wheel
[ "$(sha256sum <$wheel)" != "$before" ] || fail "another attempt left the old stamp"

# The ledger shows the run's address.
git init -q .
expect_exit 0 ledger record $wheel.ledger.json
expect_exit 0 ledger show $wheel
expect_line out "  run        https://example.org/example-org/farm/actions/runs/123456789012/attempts/3"
