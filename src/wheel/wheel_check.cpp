#include "wheel/wheel_check.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "wheel/dist_info.hpp"
#include "wheel/host_machine.hpp"
#include "wheel/member_paths.hpp"
#include "wheel/record_check.hpp"
#include "wheel/wheel_name.hpp"
#include "wheel/zip.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kMaxHeaders = std::uint64_t{1} << 20U;  // where METADATA and WHEEL have what we look for
constexpr char kBuildAgain[] = "build the wheel again, or rename it, so that both say the same";

// In quotes, and cut to a bearable length.
std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongest = 100;
    return "'" + printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "…" : "") + "'";
}

using TagSet = std::set<std::string>;

// The tags that a compressed set stands for.
TagSet expand(const std::vector<std::string>& pythons, const std::vector<std::string>& abis,
              const std::vector<std::string>& platforms) {
    TagSet tags;
    for (const std::string& python : pythons) {
        for (const std::string& abi : abis) {
            for (const std::string& platform : platforms) {
                tags.insert(fmt::format("{}-{}-{}", python, abi, platform));
            }
        }
    }
    return tags;
}

class WheelChecker {
public:
    WheelChecker(const Inventory& inventory, const std::vector<ZipMember>& members)
        : inventory_(inventory), members_(members), name_(parse_wheel_name(inventory.file_name)) {}

    std::vector<Finding> check() {
        if (find_dist_info()) {
            check_metadata();
            check_tags();
            check_record_member();
        }
        append(check_host_machine(inventory_, name_));
        append(check_member_paths(members_, dist_info_));
        check_index_rules();
        for (Finding& finding : findings_) {
            finding.place = inventory_.file_name + (finding.place.empty() ? "" : " → " + finding.place);
        }
        return std::move(findings_);
    }

private:
    void add(std::string rule, Severity severity, std::string member, std::string message, std::string fix) {
        findings_.push_back({std::move(rule), severity, std::move(member), std::move(message), std::move(fix)});
    }

    void append(std::vector<Finding> findings) {
        std::move(findings.begin(), findings.end(), std::back_inserter(findings_));
    }

    std::string path_of(std::string_view file) const { return fmt::format("{}/{}", dist_info_, file); }

    // Whether there is just one; the rest of the checks need it.
    bool find_dist_info() {
        const std::vector<std::string> folders = dist_info_folders(members_);
        const std::string expected = fmt::format("{}-{}.dist-info", name_.distribution, name_.version);
        if (folders.size() != 1) {
            add("dist-info", Severity::error, {},
                folders.empty() ? fmt::format("no folder {} in it", in_quotes(expected))
                                : fmt::format("{} folders *.dist-info in it, expected one: {}", folders.size(),
                                              enumerate(folders, 5)),
                "build the wheel again, with a tool that writes wheels");
            return false;
        }
        dist_info_ = folders.front();
        check_dist_info_name(expected);
        return true;
    }

    void check_dist_info_name(const std::string& expected) {
        if (dist_info_ == expected) {
            return;
        }
        const std::string stem = dist_info_.substr(0, dist_info_.rfind('.'));
        const std::size_t dash = std::min(stem.find('-'), stem.size());
        const bool same = dash < stem.size() && normal_name(stem.substr(0, dash)) == normal_name(name_.distribution) &&
                          comparable_version(stem.substr(dash + 1)) == comparable_version(name_.version);
        add("dist-info", same ? Severity::warning : Severity::error, dist_info_,
            fmt::format("the folder is not called {}, as the file name has it", in_quotes(expected)),
            same ? "installers take it, but the package index looks for that very name: build with a newer tool"
                 : kBuildAgain);
    }

    void check_metadata() {
        const ZipMember* metadata = find_member(members_, path_of("METADATA"));
        if (metadata == nullptr) {
            add("metadata-mismatch", Severity::error, path_of("METADATA"), "the wheel does not hold it",
                "build the wheel again");
            return;
        }
        const std::string text = read_head(*metadata, kMaxHeaders);
        check_metadata_field("Name", header_values(text, "Name"), name_.distribution, normal_name);
        check_metadata_field("Version", header_values(text, "Version"), name_.version, comparable_version);
    }

    template <typename Normal>
    void check_metadata_field(std::string_view key, const std::vector<std::string>& values, const std::string& in_name,
                              const Normal& normal) {
        const std::string place = path_of("METADATA");
        if (values.size() != 1 || values[0].empty()) {
            const std::string found = values.size() > 1 ? fmt::format("{} lines {}:", values.size(), key)
                                      : values.empty()  ? fmt::format("no line {}:", key)
                                                        : fmt::format("an empty line {}:", key);
            add("metadata-mismatch", Severity::error, place, fmt::format("{} in it, expected one", found),
                "build the wheel again");
        } else if (normal(values[0]) != normal(in_name)) {
            add("metadata-mismatch", Severity::error, place,
                fmt::format("{} is {}, but {} in the file name", key, in_quotes(values[0]), in_quotes(in_name)),
                std::string("installers refuse such a wheel or install it again each time: ") + kBuildAgain);
        }
    }

    void check_tags() {
        const std::string place = path_of("WHEEL");
        const ZipMember* wheel = find_member(members_, place);
        if (wheel == nullptr) {
            add("wheel-tags", Severity::error, place, "the wheel does not hold it", "build the wheel again");
            return;
        }
        const std::string text = read_head(*wheel, kMaxHeaders);
        check_wheel_version(header_values(text, "Wheel-Version"));
        const std::vector<std::string> lines = header_values(text, "Tag");
        if (lines.empty()) {
            add("wheel-tags", Severity::error, place, "no line Tag: in it", "build the wheel again");
            return;
        }
        if (const auto tags = whole_tags(lines); tags) {
            compare_tags(*tags);
        }
        compare_build(header_values(text, "Build"));
    }

    // Of the lines Tag: in WHEEL; nothing if one of them is not whole, which is a finding.
    std::optional<TagSet> whole_tags(const std::vector<std::string>& lines) {
        TagSet tags;
        for (const std::string& line : lines) {
            try {
                const WheelName as_name = parse_wheel_name("x-0-" + line + ".whl");
                if (!as_name.build.empty()) {
                    throw unchecked("four fields");
                }
                tags.merge(expand(as_name.python_tags, as_name.abi_tags, as_name.platform_tags));
            } catch (const Error&) {
                add("wheel-tags", Severity::error, path_of("WHEEL"),
                    fmt::format("the tag {} is not of the form python-abi-platform", in_quotes(line)),
                    "uv refuses such a wheel: build it again, or set its tags with `wheel tags`");
                return std::nullopt;
            }
        }
        return tags;
    }

    void compare_tags(const TagSet& in_wheel) {
        const TagSet in_name = expand(name_.python_tags, name_.abi_tags, name_.platform_tags);
        if (in_wheel == in_name) {
            return;
        }
        const auto text = [](const TagSet& tags) { return enumerate({tags.begin(), tags.end()}, 5); };
        add("wheel-tags", Severity::warning, path_of("WHEEL"),
            fmt::format("its tags are {}, but {} in the file name", printable(text(in_wheel)), text(in_name)),
            "set both with `wheel tags` instead of renaming the file");
    }

    // Installers refuse another major number than theirs.
    void check_wheel_version(const std::vector<std::string>& values) {
        if (!values.empty() && values.front() != "1" && !values.front().starts_with("1.")) {
            add("wheel-tags", Severity::error, path_of("WHEEL"),
                fmt::format("Wheel-Version is {}, installers know 1", in_quotes(values.front())),
                "build the wheel with a tool that writes version 1.0");
        }
    }

    void compare_build(const std::vector<std::string>& values) {
        const std::string build = values.empty() ? "" : values.front();
        if (build != name_.build) {
            const auto shown = [](const std::string& text) { return text.empty() ? "missing" : in_quotes(text); };
            add("wheel-tags", Severity::warning, path_of("WHEEL"),
                fmt::format("its build tag is {}, but {} in the file name", shown(build), shown(name_.build)),
                "set both with `wheel tags --build` instead of renaming the file");
        }
    }

    void check_record_member() {
        for (const char* file : {"RECORD.jws", "RECORD.p7s"}) {
            if (find_member(members_, path_of(file)) != nullptr) {
                add("record-signature", Severity::error, path_of(file),
                    "a signature of RECORD, which stamping would break",
                    "leave it out: installers do not check it, and it is deprecated; sign the whole file instead");
            }
        }
        const ZipMember* record = find_member(members_, path_of("RECORD"));
        if (record == nullptr) {
            add("record-missing", Severity::error, path_of("RECORD"), "the wheel does not hold it",
                "build the wheel again, with a tool that writes wheels");
            return;
        }
        append(check_record(parse_record(read_small(*record, kMaxRecordSize)), inventory_.digests, dist_info_));
    }

    // What the strictest index refuses although the archive is sound, and what stamping cannot heal.
    void check_index_rules() {
        constexpr std::uint64_t kMostRatio = 50;
        constexpr std::uint64_t kFreeSize = std::uint64_t{64} << 20U;
        std::uint64_t unpacked = 0;
        for (const ZipMember& member : members_) {
            unpacked += member.size;
            const bool ascii = std::all_of(member.name.begin(), member.name.end(),
                                           [](char c) { return static_cast<unsigned char>(c) < 0x80; });
            if (!ascii && ((member.flags & kUtf8Flag) == 0 || valid_utf8(member.name) != member.name)) {
                add("index-refuses", Severity::warning, member.name,
                    "its name is not ASCII and not marked as UTF-8, so that readers differ on what it is",
                    "the package index refuses such a wheel: pack it again with Python's zipfile");
            }
        }
        if (unpacked > kFreeSize && unpacked / kMostRatio > inventory_.size) {
            add("index-refuses", Severity::warning, {},
                fmt::format("it unpacks to {} bytes, more than {} times its size of {}", unpacked, kMostRatio,
                            inventory_.size),
                "the package index takes such a wheel for a zip bomb: find out what in it is so empty");
        }
    }

    const Inventory& inventory_;
    const std::vector<ZipMember>& members_;
    WheelName name_;
    std::string dist_info_;
    std::vector<Finding> findings_;
};

}  // namespace

void check_unchanged(const Inventory& inventory, std::uint64_t size, const std::vector<ZipMember>& members) {
    std::vector<const ZipMember*> files;
    for (const ZipMember& member : members) {
        if (!member.is_directory()) {
            files.push_back(&member);
        }
    }
    const auto same = [](const FileDigest& digest, const ZipMember* member) {
        return digest.name == member->name && digest.size == member->size && digest.crc32 == member->crc32;
    };
    if (size != inventory.size ||
        !std::equal(inventory.digests.begin(), inventory.digests.end(), files.begin(), files.end(), same)) {
        throw unchecked("the file has changed since it was inspected",
                        "let nothing else write to it meanwhile, and run this again");
    }
}

std::vector<Finding> check_wheel(const Inventory& inventory) {
    return inside(inventory.file_name, [&] {
        const MappedFile file(inventory.path);
        const std::vector<ZipMember> members = read_zip(file.view());
        check_unchanged(inventory, file.view().size(), members);
        return WheelChecker(inventory, members).check();
    });
}

}  // namespace wheelarch
