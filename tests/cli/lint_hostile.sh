#!/usr/bin/env bash
# lint of sources that nobody wrote by hand: what is no file of text is named and not opened, and what is too long, too
# deep or too many costs no more than its bytes do.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
lint_farm 12.8=8.0
sources=src/example_attn

# Runs lint over what a Python script makes in the folder of sources.
costs() { # costs EXIT MIB <<SCRIPT
  rm -rf src && mkdir -p $sources
  (cd $sources && python3 -) || fail "no sources"
  python3 - "$@" "$WHEELARCH" <<'PYTHON' || { cat out err >&2; fail "lint of hostile sources"; }
import resource, subprocess, sys
wanted, most, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with open("out", "wb") as out, open("err", "wb") as err:
    code = subprocess.run([program, "lint", "--farm", "farm", "--sources", "src"], stdout=out, stderr=err, timeout=300).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(f"exit {code}, peak {peak} MiB")
# A sanitized program keeps for a while what was freed, so its memory says nothing.
sanitized = b"__asan_init" in open(program, "rb").read()
sys.exit(code != wanted or (peak > most and not sanitized))
PYTHON
}

# What is no regular file, loops of links, bytes and names that are no text.
costs 1 64 <<'PYTHON'
import os, socket
os.mkfifo("fifo.cu")
os.mkfifo("fifo")
os.mkfifo("Makefile")
socket.socket(socket.AF_UNIX).bind("socket.cu")
os.symlink("..", "loop")
os.symlink("link.cu", "link.cu")
os.symlink("/dev/zero", "device.cu")
os.symlink("gone", "dangling.cu")
open("binary.cu", "wb").write(b"a\0b")
open("latin.cu", "wb").write(b"// caf\xe9 \xff\xfe\n#if __CUDA_ARCH__ >= 890 // \xc3\nwork();\n#endif\n")
for name in ("::error::x.cu", "a\n::error::b.cu", "##[error]y.cu", b"\xff\xfe.cu", "\u202ez.cu", "\x1b[31m.cu", "%0A::error::.cu"):
    open(name, "w").write("#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n")
PYTHON
expect_harmless out err
for name in fifo.cu socket.cu link.cu loop device.cu; do
  grep -q "left out: .*$name" out || { cat out >&2; fail "$name is not named"; }
done
grep -q 'latin.cu:2:1' out || { cat out >&2; fail "no finding in latin.cu"; }
(export GITHUB_ACTIONS=true && expect_exit 1 lint --farm farm --sources src --sarif lint.sarif --json lint.json)
grep -v '^::error file=src/example_attn/.*,line=[12],title=wheelarch%3A arch-gate::example_attn → ' err >others || true
expect_harmless others

# A file that may not be read fails the run: it may be the one that matters.
if [ "$(id -u)" != 0 ]; then
  chmod 0 $sources/latin.cu
  expect_exit 3 lint --farm farm --sources src
fi

# 50 MiB of generated code, and a line of 10 MiB.
costs 1 160 <<'PYTHON'
text = 'asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0}, {%1};" : "+f"(d) : "r"(a));\n#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n'
open("generated.cu", "w").write(text * ((50 << 20) // len(text)))
PYTHON
costs 1 96 <<'PYTHON'
open("line.cu", "w").write("int x = " + "1+" * (5 << 20) + "1;\n#if __CUDA_ARCH__ >= 890\nwork();\n#endif\n")
open("asm.cu", "w").write('asm("a");' * (1 << 20))
open("strings.py", "w").write("arch=" + '"-arch",' * (1 << 19))
PYTHON

# What is open without an end, or within itself.
costs 0 320 <<'PYTHON'
n = 1 << 19
open("directives.cu", "w").write("#if __CUDA_ARCH__ >= 890\n" * (n // 8))
open("elifs.cu", "w").write("#if X\n" + "#elif __CUDA_ARCH__ >= 890\n" * (n // 8) + "#endif\n")
open("braces.cu", "w").write("if (__CUDA_ARCH__ >= 890) {\n" * (n // 8))
open("parens.cu", "w").write("if (" * n)
open("condition.cu", "w").write("#if " + "(" * n + "\n#endif\n")
open("strings.cu", "w").write('"\n' * n + "R\"abc(" * n)
open("splices.cu", "w").write("__CUDA_\\\n" * n)
open("chain.cu", "w").write("".join(f"#define A{i} (A{i - 1} + __CUDA_ARCH__)\n#if A{i} > A{i - 1}\n#endif\n" for i in range(20000)))
open("constants.cu", "w").write("".join(f"constexpr int a{i} = a{i - 1} + __CUDA_ARCH__;\n" for i in range(20000)))
open("CMakeLists.txt", "w").write("# CUDAARCHS\n" + "if(CUDAARCHS)\nset(A b)\n" * (n // 32) + "x(" + "[=" * n)
open("setup.py", "w").write("arch = CUDA_ARCH\n" + "for " * (n // 4) + "int(" * (n // 4))
open("build.sh", "w").write("CUDAARCHS\n" + "if a; then\n" * (n // 16) + "a <<E <<F\n" * (n // 16) + "${" * n)
open("pyproject.toml", "w").write("CUDAARCHS\n" + '"a"=' * n)
open("build.yml", "w").write("CUDAARCHS: 1\nx: " + "[" * n)
PYTHON

# Headers that all include each other, and very many files.
costs 0 800 <<'PYTHON'
for i in range(1000):
    lines = [f'#include "h{(i * 7 + k * 13) % 1000}.h"\n#define N{i}_{k} 1' for k in range(40)]
    open(f"h{i}.h", "w").write("\n".join(lines) + f"\n#if M{i + 1} <= __CUDA_ARCH__\nwork();\n#endif\n")
PYTHON
costs 0 128 <<'PYTHON'
import os
for i in range(200):
    os.mkdir(str(i))
    for k in range(100):
        open(f"{i}/{k}.cu", "w").write("x")
PYTHON
