// FileTargets: the archs that a CMake script gives to single source files, whatever the rest is built for.
//
// Projects do that with functions of their own, so that none is known by name. What counts is that a command names
// sources and archs, each as they stand or by a variable:
//
//     archs_of(WIDE_ARCHS "9.0a;10.0f" "${ALL}")          a variable that was given archs
//     set(WIDE_SRCS "csrc/wide.cu")                       a variable that was given sources
//     targets_for(SRCS "${WIDE_SRCS}" ARCHS "${WIDE_ARCHS}")
//
// A variable holds all that any branch gives it. Of commands of different names, which may be for the whole library
// and for a file, the one with fewer archs counts.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "lint/arch_need.hpp"

namespace wheelarch {

class FileTargets {
public:
    // Adds what a CMake script says. `path` is where it lies among the sources.
    void add_script(std::string_view path, std::string_view text);

    // Null if no script names the file, by its path or a pattern.
    const ArchSet* named(std::string_view path) const;
    // The passes that they stand for: PTX may be asked for every later arch, too. Every pass if none names it.
    ArchMask passes(std::string_view path) const;

    // The files that include a file.
    using Includers = std::function<const std::vector<std::string>&(const std::string& path)>;
    // Takes out of what a file needs that for which no arch matters of those that it is built for. A header is built
    // for all that the files are that include it.
    void narrow(std::vector<ArchNeed>& needs, const std::string& path, const Includers& includers) const;

private:
    struct Variable {
        ArchSet archs;
        std::set<std::string> files;  // patterns, relative to the sources
    };

    bool built_for(const std::string& path, const Includers& includers, std::set<std::string>& seen,
                   ArchSet& archs) const;
    void take(const struct CMakeCommand& command, const std::string& folder);

    std::map<std::string, Variable, std::less<>> variables_;
    // By pattern, then by the command's name.
    std::map<std::string, std::map<std::string, ArchSet>, std::less<>> given_;
    mutable std::map<std::string, ArchSet, std::less<>> found_;
};

}  // namespace wheelarch
