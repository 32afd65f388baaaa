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
expect_line summary "### ❌ lint"
grep -q '^- \*\*error\*\* arch-list-override <code>example → setup,a.py:1:28</code> ' summary || { cat summary >&2; fail "no finding in the summary"; }
[ "$(grep -c '^::' err)" = 1 ] || fail "more than one workflow command"
if grep -q '^::\|##\[' out; then fail "a workflow command in the output"; fi

# What many files have is annotated at its first place before others are; the summary has it once. Warnings fail nothing.
rm summary
echo 'import os' >'src/example/setup,a.py'
for number in $(seq 12); do cp "$root/tests/nvcc/src/gated.cu" "src/example/gated$number.cu"; done
printf '#ifdef __CUDA_ARCH_FEAT_SM90_ALL\nwork();\n#endif\n' >src/example/zz.cu
sed -i 's/"9.0"/"8.6;9.0"/' farm/packages/_defaults.yml
expect_exit 1 lint --farm farm --sources src
[ "$(grep -c '^::error file=' err)" = 8 ] || { cat err >&2; fail "the number of annotations"; }
sed -n 2p err | grep -q '^::error file=src/example/zz.cu,line=1,' || { cat err >&2; fail "the order of annotations"; }
[ "$(grep -c '^- ' summary)" = 2 ] || { cat summary >&2; fail "the summary"; }
grep -q '<code>example → gated1.cu:5:1 and 11 more places</code>' summary || { cat summary >&2; fail "the places"; }
rm summary
echo 'lint_ignore: [{rule: arch-gate, reason: x}, {rule: feature-macro, reason: x}, {rule: fp8-type, reason: x}]' >>farm/packages/example.yml
expect_exit 0 lint --farm farm --sources src
expect_line summary "### ⚠️ lint"
