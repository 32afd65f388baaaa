#!/usr/bin/env python3
"""Writes docs/third-party-notices.md from the packages that .ci/setup fetched, or compares it with them.

    notices.py [--update] ROOT

The list below is what gets linked into the program (.ci/cmake/deps.cmake, and the compiler's own libraries). Versions are
taken from .ci/deps.txt and .ci/requirements.in, so that a bump shows here. Standard library only.
"""

import glob
import os
import re
import sys

# Title, package in .ci/deps.txt or .ci/requirements.in, licence, file under build/; `#NAME` is a paragraph of a Debian
# copyright file.
COMPONENTS = [
    ("Boost (JSON, Process, Asio and what they include)", "libboost1.81-dev", "BSL-1.0",
     "deps/debs/root/usr/share/doc/libboost1.81-dev/copyright#BSL-1.0"),
    ("fmt", "libfmt-dev", "MIT with an exception for object code",
     "deps/debs/root/usr/share/doc/libfmt-dev/copyright#Expat with embedded exception"),
    ("CLI11", "libcli11-dev", "BSD-3-Clause", "deps/debs/root/usr/share/doc/libcli11-dev/copyright#BSD-3-clause"),
    ("yaml-cpp", "yaml-cpp", "MIT", "deps/src/yaml-cpp/LICENSE"),
    ("libgit2, with LibXDiff, llhttp, sha1dc, RFC 6234 and wildmatch; on Windows PCRE2", "libgit2-sys",
     "GPL-2.0 with a linking exception; LGPL-2.1, MIT, BSD for its parts", "deps/crates/libgit2-sys/libgit2/COPYING"),
    ("mimalloc", "libmimalloc-sys", "MIT", "deps/crates/libmimalloc-sys/c_src/mimalloc/v2/LICENSE"),
    ("zlib-ng", "libz-ng-sys", "Zlib", "deps/crates/libz-ng-sys/src/zlib-ng/LICENSE.md"),
    ("zstd", "zstd-sys", "BSD-3-Clause", "deps/crates/zstd-sys/zstd/LICENSE"),
    ("LZ4 library", "lz4-sys", "BSD-2-Clause", "deps/crates/lz4-sys/liblz4/lib/LICENSE"),
    ("AWS-LC (SHA-256 only)", "aws-lc-sys", "ISC, OpenSSL, SSLeay, Apache-2.0 or ISC",
     "deps/crates/aws-lc-sys/aws-lc/LICENSE"),
    ("musl", "ziglang", "MIT", "venv/lib/python3*/site-packages/ziglang/lib/libc/musl/COPYRIGHT"),
    ("MinGW-w64 (Windows)", "ziglang", "ZPL-2.1; BSD and public domain for its parts",
     "venv/lib/python3*/site-packages/ziglang/lib/libc/mingw/COPYING"),
    ("libc++, libc++abi, libunwind", "ziglang", "Apache-2.0 with LLVM exceptions",
     "venv/lib/python3*/site-packages/ziglang/lib/libcxx/LICENSE.TXT"),
    ("compiler-rt of Zig", "ziglang", "MIT", "venv/lib/python3*/site-packages/ziglang/LICENSE"),
]
COPYRIGHTS = {
    "libfmt-dev": "Copyright 2012-2020 Victor Zverovich, 2018-2020 Remotion (Igor Schulz), 2019 Paul Dreik",
    "libcli11-dev": "Copyright 2017-2020 University of Cincinnati, developed by Henry Schreiner under NSF AWARD 1414736",
}
# Sections of libgit2's COPYING, which stand between lines of hyphens, about what .ci/cmake/deps.cmake does not compile.
NOT_COMPILED = ("The bundled ZLib", "The Clar framework", "The bundled winhttp",
                "Portions of the OpenSSL headers", "The bundled ntlmclient", "Portions of this software derived from")
# What has its licence in a comment of its own: file beside COPYING, and words of that comment.
IN_COMMENTS = [("deps/xdiff/xdiff.h", "Davide Libenzi"), ("deps/xdiff/xhistogram.c", "Google Inc."),
               ("src/util/util.c", "Regents"), ("src/util/hashmap.h", "Attractive Chaos"),
               ("src/util/tsort.c", "Christopher Swenson"), ("src/util/utf8.c", "Public Software Group")]
INTRO = """\
# Third-party notices

The programs in `dist/` are static binaries. These libraries are linked into them, whole or in part, under the licences that
follow. Tests and build tools are not part of it. `tests/docs/notices.sh --update` writes this page.
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def versions(root):
    pinned = dict(re.findall(r"^(?:deb|src|crate) +(\S+) +(\S+)", read(os.path.join(root, ".ci/deps.txt")), re.MULTILINE))
    pinned.update(re.findall(r"^(\S+)==(\S+)$", read(os.path.join(root, ".ci/requirements.in")), re.MULTILINE))
    return pinned


def debian_paragraph(text, licence):
    """The text of a stand-alone `License:` paragraph: its lines are indented, and an empty one is a dot."""
    body = re.search(rf"^License: {re.escape(licence)}\n((?: .*\n)+)", text, re.MULTILINE)[1]
    return "\n".join("" if line == " ." else line[1:] for line in body.splitlines())


def comment(path, words):
    """The first comment of a C file that has these words, without its stars."""
    found = [body for body in re.findall(r"/\*(.*?)\*/", read(path), re.DOTALL) if words in body]
    return "\n".join(re.sub(r"^ *\*+ ?", "", line) for line in found[0].splitlines()).strip()


def libgit2_licences(path):
    sections = re.split(r"^-{60,}\n", read(path), flags=re.MULTILINE)
    kept = [section for section in sections if not section.lstrip().startswith(NOT_COMPILED)]
    own = [f"{name}:\n\n{comment(os.path.join(os.path.dirname(path), name), words)}\n" for name, words in IN_COMMENTS]
    return ("-" * 70 + "\n\n").join([section.strip("\n") + "\n\n" for section in kept + own])


def licence_text(root, source, package):
    path, _, paragraph = source.partition("#")
    found = glob.glob(os.path.join(root, "build", path))
    if len(found) != 1:
        raise SystemExit(f"notices.py: {len(found)} files at build/{path}: run .ci/setup")
    text = libgit2_licences(found[0]) if package == "libgit2-sys" else read(found[0])
    if paragraph:
        text = debian_paragraph(text, paragraph)
    if package in COPYRIGHTS:
        text = COPYRIGHTS[package] + "\n\n" + text
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def page(root):
    pinned = versions(root)
    parts = [INTRO, "| library | package | licence |\n| --- | --- | --- |"]
    parts[1] += "".join(f"\n| {title} | {package} {pinned[package]} | {licence} |" for title, package, licence, _ in COMPONENTS)
    for title, package, _, source in COMPONENTS:
        parts.append(f"\n## {title}\n\n```text\n{licence_text(root, source, package)}\n```")
    return "\n".join(parts) + "\n"


def main(argv):
    root = [word for word in argv[1:] if word != "--update"][0]
    path = os.path.join(root, "docs/third-party-notices.md")
    wanted = page(root)
    if "--update" in argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif read(path) != wanted:
        print("docs/third-party-notices.md differs from the packages in build/: run tests/docs/notices.sh --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
