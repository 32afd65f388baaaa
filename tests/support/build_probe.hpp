// What lint reads in a build file, in one line for comparison.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "lint/build/build_settings.hpp"

namespace wheelarch {

// `2:1 8.0;8.6 error`, one for each setting of the kind.
inline std::string seen(BuildSetting::Kind kind, SourceFile::Language language, const std::string& path,
                        std::string_view text) {
    std::string all;
    for (const BuildSetting& one : of_kind(build_settings({path, text, language}), kind)) {
        all +=
            fmt::format("{}{}:{} {} {}", all.empty() ? "" : " | ", one.line, one.column, one.list, name(one.severity));
    }
    return all;
}

}  // namespace wheelarch
