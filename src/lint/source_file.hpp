// SourceFile: one file of a package's sources, in memory.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

struct SourceFile {
    enum class Language { cuda, cpp, python, cmake, shell, makefile, dockerfile, toml, yaml, other };

    std::string path;       // relative to the package's sources, `/` between
    std::string_view text;  // must outlive the file
    Language language = Language::other;
};

// C and C++ too, as headers are.
inline bool may_be_device_code(const SourceFile& file) {
    return file.language == SourceFile::Language::cuda || file.language == SourceFile::Language::cpp;
}

}  // namespace wheelarch
