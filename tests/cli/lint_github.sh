#!/usr/bin/env bash
# lint in a workflow: annotations with file and line, a job summary; nothing in the sources is a workflow command.
. "$(dirname "$0")/lib.sh"
mkdir -p farm/packages src/example
echo 'combinations: [{cuda: "12.4", pytorch: "2.5.0", python_versions: ["3.12"]}]' >farm/packages/_defaults.yml
printf 'arch_policy: {"12.4": "9.0"}\nptx_tail: false\n' >>farm/packages/_defaults.yml
echo 'source_repo: example-org/example' >farm/packages/example.yml
printf '::warning::x=1; os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0" # ##[group]\n' >'src/example/setup,a.py'
export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$work/summary
expect_exit 1 lint --farm farm --sources src
grep -q '^::error file=src/example/setup%2Ca.py,line=1,title=wheelarch%3A arch-list-override::example → setup,a.py:1:28: ' err ||
  { cat err >&2; fail "no annotation"; }
grep -q 'arch-list-override' summary || fail "no summary"
[ "$(grep -c '^::' err)" = 1 ] || fail "more than one workflow command"
if grep -q '^::\|##\[' out; then fail "a workflow command in the output"; fi
