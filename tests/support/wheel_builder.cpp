#include "support/wheel_builder.hpp"

#include "base/sha256.hpp"

namespace wheelarch {

std::string record_row(const std::string& name, std::string_view content) {
    std::string path = name;
    if (path.find_first_of(",\"") != std::string::npos) {
        for (std::size_t at = path.find('"'); at != std::string::npos; at = path.find('"', at + 2)) {
            path.insert(at, 1, '"');
        }
        path = '"' + path + '"';
    }
    return path + ",sha256=" + to_base64url(sha256_of(content)) + "," + std::to_string(content.size()) + "\n";
}

std::vector<ZipEntry> wheel_entries(const WheelSpec& spec) {
    std::vector<ZipEntry> entries = spec.files;
    if (spec.metadata) {
        entries.push_back({.name = spec.dist_info + "/METADATA", .content = *spec.metadata});
    }
    if (spec.wheel) {
        entries.push_back({.name = spec.dist_info + "/WHEEL", .content = *spec.wheel});
    }
    if (spec.has_record) {
        const std::string path = spec.dist_info + "/RECORD";
        std::string record;
        for (const ZipEntry& entry : entries) {
            record += entry.name.ends_with('/') ? "" : record_row(entry.name, entry.content);
        }
        record += path + ",,\n";
        if (spec.edit_record) {
            spec.edit_record(record);
        }
        entries.push_back({.name = path, .content = record});
    }
    return entries;
}

std::string build_wheel(const WheelSpec& spec) {
    return build_zip({.entries = wheel_entries(spec)});
}

}  // namespace wheelarch
