// Which Pythons a wheel's tags are for, as "Platform compatibility tags" on packaging.python.org and
// packaging.tags (cpython_tags, compatible_tags) have it. Tags may be in either case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

// `3.12`; `3.13t` is the build without the lock, which has an ABI of its own.
struct PythonVersion {
    unsigned major = 0;
    std::optional<unsigned> minor;
    bool free_threaded = false;
};

// As a matrix row has it: `3.12`, `3.13t`, `3`, also `3.12.4`. Nothing if it is no version of CPython.
std::optional<PythonVersion> read_python(std::string_view text);

// Does CPython `python` install a wheel of this Python tag and this ABI tag? `cp312-abi3` serves 3.12 and newer but
// not 3.13t; `py3-none` serves all 3.x; `cp313-none` serves 3.13 and 3.13t alone; `cp312-abi3t` serves the builds
// without the lock from 3.12 on.
bool tag_serves(std::string_view python_tag, std::string_view abi_tag, const PythonVersion& python);

// The same for tag sets, of which any pair will do. False if `python` is no version of CPython.
bool tags_serve(const std::vector<std::string>& python_tags, const std::vector<std::string>& abi_tags,
                std::string_view python);

}  // namespace wheelarch
