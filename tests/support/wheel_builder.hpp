// Builds wheels whose RECORD, METADATA and WHEEL are true, and ones that lie where a test says so.
//
//   build_wheel({.files = {{.name = "pkg/_C.so", .content = library}}})
//   build_wheel({.edit_record = [](std::string& text) { text += "pkg/gone.py,,\n"; }})
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/zip_builder.hpp"

namespace wheelarch {

inline constexpr char kWheelName[] = "pkg-1.0-cp312-cp312-linux_x86_64.whl";

struct WheelSpec {
    std::vector<ZipEntry> files = {{.name = "pkg/__init__.py", .content = "x = 1\n"}};
    std::string dist_info = "pkg-1.0.dist-info";
    std::optional<std::string> metadata = "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n\nText\n";
    std::optional<std::string> wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-linux_x86_64\n";
    bool has_record = true;
    std::function<void(std::string&)> edit_record = {};
};

// The files, then METADATA, WHEEL and RECORD.
std::vector<ZipEntry> wheel_entries(const WheelSpec& spec);
std::string build_wheel(const WheelSpec& spec);

// A true row, quoted if the name has a comma or a quote.
std::string record_row(const std::string& name, std::string_view content);

}  // namespace wheelarch
