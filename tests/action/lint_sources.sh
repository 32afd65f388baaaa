#!/usr/bin/env bash
# The action: `command: lint`, and `matrix` with `lint: true`, which hands nothing out on an error.
. "$(dirname "$0")/lib.sh"
mkdir -p farm/packages checkouts/gated_pkg
cat >farm/packages/_defaults.yml <<'YAML'
combinations: [{cuda: "12.8", pytorch: "2.8.0", python_versions: ["3.12"]}]
platforms: [linux]
arch_policy: {"12.8": "8.0;8.6;9.0"}
YAML
printf 'version: "1.0"\nsource_repo: example-org/gated_pkg\nsource_tag: v1\n' >farm/packages/gated_pkg.yml
cp "$root/tests/nvcc/src/gated.cu" checkouts/gated_pkg/
: >none
step() { # step EXIT NAME=VALUE...
  step_environment
  set_inputs farm=farm "${@:2}"
  expect_exit "$1" action
  expect_no_command out
}

# lint
step 1 command=lint sources=checkouts extra-args=$'--sarif=lint.sarif\ngated_pkg'
expect_line out "wheelarch lint --sources=checkouts --farm=farm --json=$RUNNER_TEMP/wheelarch-report.json --sarif=lint.sarif gated_pkg"
expect_step_output verdict hit
expect_step_output report "$RUNNER_TEMP/wheelarch-report.json"
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["errors"] == 1' 'd["packages"][0]["findings"][0]["needs"] == ["8.9"]'
check_json lint.sarif 'len(d["runs"][0]["results"]) == 1'
[ "$(annotations | grep -c '^::error file=checkouts/gated_pkg/gated.cu,line=5,title=wheelarch%3A arch-gate::')" = 1 ] ||
  { annotations >&2; fail "no annotation"; }
grep -q 'arch-gate' "$GITHUB_STEP_SUMMARY" || fail "no job summary"

# matrix
step 1 command=matrix existing=none lint=true sources=checkouts
expect_step_output verdict hit
expect_step_output matrix ""
expect_step_output jobs ""
expect_step_output pages ""
check_json "$RUNNER_TEMP/wheelarch-report.json" 'd["matrix"] is None and d["lint"]["errors"] == 1'
expect_no_file "$RUNNER_TEMP/wheelarch-matrix*"
[ "$(annotations | grep -c '^::error ')" = 1 ] || { annotations >&2; fail "annotations"; }
step 0 command=matrix existing=none sources=checkouts
expect_step_output verdict ok
expect_step_output jobs 1

# With the arch in the list there is nothing to say.
sed -i 's/8.6;9.0/8.6;8.9;9.0/' farm/packages/_defaults.yml
step 0 command=lint sources=checkouts
expect_step_output verdict ok
step 0 command=matrix existing=none lint=true sources=checkouts
expect_step_output verdict ok
expect_step_output jobs 1

# Without `sources` they are fetched: here from a repository that is not there.
sed -i "s#example-org/gated_pkg#file://$work/gone#" farm/packages/gated_pkg.yml
need git
for arguments in command=lint "command=matrix existing=none lint=true"; do
  # shellcheck disable=SC2086
  step 3 $arguments
  grep -q -- '--fetch' out || { cat out >&2; fail "not fetched"; }
  expect_step_output verdict unchecked
  expect_step_output matrix ""
done

# The input is text, and for one command.
step 2 command=matrix existing=none lint=True
expect_line err "error: the input 'lint' is 'True', true or false is expected"
step 2 wheels=none lint=true
expect_line err "error: the input 'lint' is for \`command: matrix\`, and this is gate"
