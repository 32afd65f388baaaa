// What lint reads in a build file, in one line for comparison.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "lint/build/build_settings.hpp"
#include "lint/device/device_facts.hpp"

namespace wheelarch {

// `2:1 8.0;8.6 error`, one for each setting of the kind.
inline std::string seen(BuildSetting::Kind kind, SourceFile::Language language, const std::string& path,
                        std::string_view text) {
    std::string all;
    const SourceFile file{path, text, language};
    const std::vector<BuildSetting> settings = build_settings(file);
    for (const BuildSetting& one : of_kind({file, DeviceFacts(), &settings}, kind)) {
        all +=
            fmt::format("{}{}:{} {} {}", all.empty() ? "" : " | ", one.line, one.column, one.list, name(one.severity));
    }
    return all;
}

}  // namespace wheelarch
