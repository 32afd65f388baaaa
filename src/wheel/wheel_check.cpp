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
#include "wheel/entry_points.hpp"
#include "wheel/header_lines.hpp"
#include "wheel/host_machine.hpp"
#include "wheel/installed_path.hpp"
#include "wheel/member_paths.hpp"
#include "wheel/metadata_check.hpp"
#include "wheel/module_suffix.hpp"
#include "wheel/record_check.hpp"
#include "wheel/wheel_name.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kMaxHeaders = std::uint64_t{4} << 20U;  // of METADATA and WHEEL
constexpr char kBuildAgain[] = "build the wheel again, or rename it, so that both say the same";

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
            check_entry_points();
            check_record_member();
        }
        append(check_host_machine(inventory_, name_));
        append(check_module_suffixes(inventory_, name_));
        append(check_member_paths(members_, dist_info_, name_.platform_tags));
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
                folders.empty() ? fmt::format("no folder {} in it", quoted_value(expected))
                                : fmt::format("{} folders *.dist-info in it, expected one: {}", folders.size(),
                                              enumerate(folders, 5)),
                "build the wheel again, with a tool that writes wheels");
            return false;
        }
        dist_info_ = folders.front();
        check_dist_info_name(expected);
        check_other_dist_infos();
        return true;
    }

    // Also as a file, in another case, or by way of `.data/purelib`.
    void check_other_dist_infos() {
        std::set<std::string> others;
        for (const ZipMember& member : members_) {
            const InstalledPath installed = installed_path(member.name);
            const std::string top = installed.path.substr(0, installed.path.find('/'));
            if (installed.scheme == Scheme::site && top != dist_info_ && is_dist_info(top)) {
                others.insert(valid_utf8(top));
            }
        }
        if (!others.empty()) {
            add("dist-info", Severity::error, {},
                fmt::format("beside {} it would install {}", dist_info_, enumerate({others.begin(), others.end()}, 5)),
                "a wheel installs one distribution: leave the rest out");
        }
    }

    // Where case and the dots and blanks at the end do not count.
    static bool is_dist_info(std::string_view folder) {
        return lower_case(folder.substr(0, folder.find_last_not_of(". ") + 1)).ends_with(".dist-info");
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
            fmt::format("the folder is not called {}, as the file name has it", quoted_value(expected)),
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
        append(wheelarch::check_metadata(read_headers(*metadata), name_, path_of("METADATA")));
    }

    // A file that is too long is cut at the end of a line.
    static std::string read_headers(const ZipMember& member) {
        std::string text = read_head(member, kMaxHeaders);
        if (member.size > kMaxHeaders) {
            text.resize(text.rfind('\n') + 1);
        }
        return text;
    }

    void check_entry_points() {
        const std::string place = path_of("entry_points.txt");
        const ZipMember* file = find_member(members_, place);
        const std::string problem = file == nullptr ? "" : entry_points_problem(read_headers(*file));
        if (!problem.empty()) {
            add("dist-info", Severity::error, place, problem,
                "installers refuse such a wheel: mend the entry points of the project, and build the wheel again");
        }
    }

    void check_tags() {
        const std::string place = path_of("WHEEL");
        const ZipMember* wheel = find_member(members_, place);
        if (wheel == nullptr) {
            add("wheel-tags", Severity::error, place, "the wheel does not hold it", "build the wheel again");
            return;
        }
        const std::string text = read_headers(*wheel);
        HeaderLines headers = parse_header_lines(text);
        if (headers.problem.empty() && !headers.values("wheel-version").empty() &&
            text.find("Wheel-Version:") == std::string::npos) {
            headers.problem = "Wheel-Version is written in another case, and uv does not find it";
        }
        if (!headers.problem.empty()) {
            add("wheel-tags", Severity::error, place, headers.problem,
                "installers read such a file in different ways: build the wheel again");
            return;
        }
        check_wheel_version(headers.values("wheel-version"));
        check_case();
        check_purelib(headers.values("root-is-purelib"));
        const std::vector<std::string> lines = headers.values("tag");
        if (lines.empty()) {
            add("wheel-tags", Severity::error, place, "no line Tag: in it", "build the wheel again");
            return;
        }
        if (const auto tags = whole_tags(lines); tags) {
            compare_tags(*tags);
        }
        compare_build(headers.values("build"));
    }

    // Of the lines Tag: in WHEEL; nothing if one of them is not whole, which is a finding.
    std::optional<TagSet> whole_tags(const std::vector<std::string>& lines) {
        TagSet tags;
        for (const std::string& line : lines) {
            try {
                const WheelName as_name = parse_wheel_name("x-0-" + line + ".whl");
                if (!as_name.build.empty() || !as_name.variant.empty()) {
                    throw unchecked("four fields");
                }
                tags.merge(expand(as_name.python_tags, as_name.abi_tags, as_name.platform_tags));
            } catch (const Error&) {
                add("wheel-tags", Severity::error, path_of("WHEEL"),
                    fmt::format("the tag {} is not of the form python-abi-platform", quoted_value(line)),
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

    // Installers refuse another major number than theirs, and uv takes nothing but two numbers.
    void check_wheel_version(const std::vector<std::string>& values) {
        const std::string_view version = values.size() == 1 ? std::string_view(values.front()) : "";
        const bool is_known = version.size() > 2 && version.starts_with("1.") &&
                              version.find_first_not_of("0123456789", 2) == std::string_view::npos;
        if (!is_known) {
            add("wheel-tags", Severity::error, path_of("WHEEL"),
                values.size() == 1 ? fmt::format("Wheel-Version is {}, installers know 1.0", quoted_value(version))
                                   : fmt::format("{} Wheel-Version: in it, expected one", lines_text(values.size())),
                "installers refuse it: build the wheel with a tool that writes version 1.0");
        }
    }

    // pip takes capitals in a tag for small letters, uv does not.
    void check_case() {
        for (const auto* tags : {&name_.python_tags, &name_.abi_tags, &name_.platform_tags}) {
            for (const std::string& tag : *tags) {
                if (tag != lower_case(tag)) {
                    add("wheel-tags", Severity::error, {}, fmt::format("the tag {} of the file name has capitals", tag),
                        "uv refuses such a wheel: set its tags with `wheel tags`");
                }
            }
        }
    }

    void check_purelib(const std::vector<std::string>& values) {
        const std::string value = values.size() == 1 ? lower_case(values.front()) : "";
        if (value != "true" && value != "false") {
            add("wheel-tags", Severity::error, path_of("WHEEL"),
                values.size() == 1
                    ? fmt::format("Root-Is-Purelib is {}, expected true or false", quoted_value(values.front()))
                    : fmt::format("{} Root-Is-Purelib: in it, expected one", lines_text(values.size())),
                "installers choose the folder by it: build the wheel with a tool that writes wheels");
        }
    }

    static std::string lines_text(std::size_t count) { return count == 0 ? "no line" : fmt::format("{} lines", count); }

    void compare_build(const std::vector<std::string>& values) {
        const std::string build = values.empty() ? "" : values.front();
        if (build != name_.build) {
            const auto shown = [](const std::string& text) { return text.empty() ? "missing" : quoted_value(text); };
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
        const std::string text = read_small(*record, kMaxRecordSize);
        if (valid_utf8(text) != text) {
            add("record-mismatch", Severity::error, path_of("RECORD"), "it is not UTF-8",
                "pip refuses such a wheel: pack it again, which writes RECORD anew");
            return;
        }
        if (!inventory_.digests.empty()) {
            append(check_record(parse_record(text), inventory_.digests, dist_info_));
        }
    }

    // What the strictest index refuses although the archive is sound, and what stamping cannot heal.
    void check_index_rules() {
        constexpr std::uint64_t kMostRatio = 50;
        constexpr std::uint64_t kFreeSize = std::uint64_t{64} << 20U;
        std::uint64_t unpacked = 0;
        for (const ZipMember& member : members_) {
            unpacked += member.size;
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
    const bool is_hashed = !inventory.digests.empty() || files.empty();
    if (size != inventory.size || (is_hashed && !std::equal(inventory.digests.begin(), inventory.digests.end(),
                                                            files.begin(), files.end(), same))) {
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
