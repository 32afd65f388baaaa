#include "wheel/member_paths.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/installed_path.hpp"
#include "wheel/path_key.hpp"
#include "wheel/stamp.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kLongestName = 255;  // bytes, of Linux's and macOS's file systems
constexpr std::size_t kMostFindings = 50;
constexpr char kPackAgain[] = "pack the wheel again, with paths relative to its root and forward slashes";
constexpr char kOneOnly[] = "pack the wheel again, with one of them";

std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    for (bool more = true; more;) {
        const std::string_view part = path.substr(0, path.find('/'));
        more = part.size() < path.size();
        path.remove_prefix(part.size() + (more ? 1 : 0));
        parts.push_back(part);
    }
    return parts;
}

bool has_part(std::string_view path, std::string_view wanted) {
    const std::vector<std::string_view> parts = parts_of(path);
    return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

bool leads_out(std::string_view path) {
    const bool drive = path.size() > 1 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0])) != 0;
    return path.front() == '/' || drive || path.find('\\') != std::string_view::npos || has_part(path, "..");
}

// The file type that a Unix zip program stores in the upper half of the external attributes.
bool is_symbolic_link(const ZipMember& member) {
    constexpr std::uint32_t kTypeMask = 0170000;
    constexpr std::uint32_t kLink = 0120000;
    return ((member.external_attributes >> 16U) & kTypeMask) == kLink;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Where the file lies on disk, in one tree for all schemes. The data scheme is the root of an installation, and the
// folder of packages in it is `site/` here, as far as a path shows it.
std::string place_on_disk(const InstalledPath& installed) {
    switch (installed.scheme) {
        case Scheme::site: return "site/" + installed.path;
        case Scheme::headers: return "headers/" + installed.path;
        case Scheme::scripts: return "bin/" + installed.path;
        case Scheme::data: break;
        case Scheme::unknown: return "unknown/" + installed.path;
    }
    const std::string lower = lower_case(installed.path);
    for (const std::string_view packages : {"/site-packages/", "/dist-packages/"}) {
        if (const std::size_t at = lower.find(packages); at != std::string::npos) {
            return "site/" + installed.path.substr(at + packages.size());
        }
    }
    const bool is_script = lower.starts_with("bin/") || lower.starts_with("scripts/");
    return is_script ? "bin" + installed.path.substr(installed.path.find('/')) : "data/" + installed.path;
}

class PathChecker {
public:
    PathChecker(const std::string& dist_info, const std::vector<std::string>& platforms) : dist_info_(dist_info) {
        for (const std::string& tag : platforms) {
            windows_ = windows_ || tag == "win32" || tag.starts_with("win_");
            folds_case_ = folds_case_ || windows_ || tag == "any" || tag.starts_with("macosx");
        }
    }

    std::vector<Finding> check(const std::vector<ZipMember>& members) {
        for (const ZipMember& member : members) {
            if (check_name(member)) {
                check_place(member);
            }
        }
        for (const auto& [key, file] : files_) {
            if (const auto folder = folders_.find(key); folder != folders_.end()) {
                add(*file, fmt::format("a file, where {} needs a folder", printable(folder->second)), kOneOnly);
            }
        }
        if (findings_.size() > kMostFindings) {
            const std::size_t more = findings_.size() - kMostFindings;
            findings_.resize(kMostFindings);
            findings_.push_back({"member-path",
                                 Severity::error,
                                 {},
                                 fmt::format("{} like these", count_of(more, "more path")),
                                 kPackAgain});
        }
        return std::move(findings_);
    }

private:
    void add(const std::string& path, std::string message, std::string fix, Severity severity = Severity::error) {
        findings_.push_back({"member-path", severity, path, std::move(message), std::move(fix)});
    }

    // Whether the path is one that can be written at all.
    bool check_name(const ZipMember& member) {
        const std::string& name = member.name;
        const std::vector<std::string_view> parts = parts_of(name);
        if (leads_out(name)) {
            add(name, "the path leads out of the folder that the wheel is unpacked into", kPackAgain);
        } else if (!is_ascii(name) && valid_utf8(name) != name) {
            add(name, "the name is not UTF-8, so that installers refuse it", kPackAgain);
        } else if (!is_ascii(name) && (member.flags & kUtf8Flag) == 0) {
            add(name, "the name is not ASCII and not marked as UTF-8, so that installers differ on what it is",
                "pack the wheel again with Python's zipfile");
        } else if (has_hidden_characters(name)) {
            add(name, "the name holds a character that cannot be seen, which installers refuse", kPackAgain);
        } else if (parts.back() == ".") {
            add(name, "the name of a file ends in `.`, which is the name of a folder", kPackAgain);
        } else if (std::any_of(parts.begin(), parts.end(), [](auto part) { return part.size() > kLongestName; })) {
            add(name, fmt::format("a name of more than {} bytes, which no file system takes", kLongestName),
                "give the file a shorter name");
        } else {
            return true;
        }
        return false;
    }

    void check_place(const ZipMember& member) {
        const InstalledPath installed = installed_path(member.name);
        if (!check_data_folder(member, installed)) {
            return;
        }
        const std::string stamp_folder = dist_info_ + "/" + kStampName + "/";
        if (!dist_info_.empty() && (installed.path + "/").starts_with(stamp_folder) &&
            (member.is_directory() || member.name != dist_info_ + "/" + kStampName)) {
            add(member.name, "it lies where the stamp has to", "leave it out of the wheel");
        } else if (is_symbolic_link(member)) {
            add(member.name, "a symbolic link: installers write the name of its target into a file instead",
                "put the file itself into the wheel", Severity::warning);
        }
        note_spelling(member, installed);
        if (windows_ && !member.is_directory()) {
            if (const std::string problem = windows_problem(installed.path); !problem.empty()) {
                add(member.name, fmt::format("this file cannot be installed: on Windows, {}", problem),
                    "give the file another name");
            }
        }
        if (!installed.path.empty()) {
            enter(member, place_on_disk(installed));
        }
    }

    void note_spelling(const ZipMember& member, const InstalledPath& installed) {
        if (installed.is_plain) {
            return;
        }
        const bool is_metadata = !installed.data_folder.empty() || installed.path.starts_with(dist_info_ + "/");
        add(member.name,
            is_metadata ? "the path has an empty part or `.`, and installers differ on where it goes"
                        : "the path has an empty part or `.`, which installers leave out",
            kPackAgain, is_metadata ? Severity::error : Severity::warning);
    }

    // pip maps every folder `*.data`, uv only that of the wheel.
    bool check_data_folder(const ZipMember& member, const InstalledPath& installed) {
        if (installed.data_folder.empty() || dist_info_.empty()) {
            return true;
        }
        const std::string own = dist_info_.substr(0, dist_info_.rfind('.')) + ".data";
        if (installed.data_folder != own) {
            add(member.name,
                fmt::format(
                    "it lies in {}, but the wheel's folder for other places is {}, and installers differ on what "
                    "they do",
                    printable(installed.data_folder), own),
                "give the folder the wheel's name and version, or a name that does not end in .data");
            return false;
        }
        if (installed.scheme == Scheme::unknown) {
            if (member.is_directory() && installed.path == own) {
                return true;
            }
            add(member.name,
                "installers know purelib, platlib, headers, scripts and data below *.data/, and nothing else",
                "move it into one of these folders");
            return false;
        }
        if (installed.path.empty()) {
            if (!member.is_directory()) {
                add(member.name, "a file, where installers expect a folder", "move it into the folder");
            }
            return member.is_directory();
        }
        if (installed.scheme == Scheme::scripts &&
            (member.is_directory() || installed.path.find('/') != installed.path.npos)) {
            add(member.name, "a folder among the scripts, which uv refuses", "put scripts into `scripts/` itself");
            return false;
        }
        return true;
    }

    std::string key_of(const std::string& path) const { return folds_case_ ? windows_key(path) : path; }

    void enter(const ZipMember& member, const std::string& place) {
        for (std::size_t slash = place.find('/'); slash != std::string::npos; slash = place.find('/', slash + 1)) {
            folders_.emplace(key_of(place.substr(0, slash)), member.name);
        }
        if (member.is_directory()) {
            folders_.emplace(key_of(place), member.name);
            return;
        }
        const auto [first, is_new] = files_.emplace(key_of(place), &member.name);
        if (is_new) {
            return;
        }
        const bool is_same = place_on_disk(installed_path(*first->second)) == place;
        add(member.name,
            is_same ? fmt::format("it is installed as the same file as {}, and the one overwrites the other",
                                  printable(*first->second))
                    : fmt::format("on Windows or macOS it is the same file as {}, and the one overwrites the other",
                                  printable(*first->second)),
            kOneOnly);
    }

    const std::string& dist_info_;
    bool windows_ = false;
    bool folds_case_ = false;
    std::unordered_map<std::string, const std::string*> files_;  // the member, by its place on disk
    std::unordered_map<std::string, std::string> folders_;       // a member that needs it
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_member_paths(const std::vector<ZipMember>& members, const std::string& dist_info,
                                        const std::vector<std::string>& platforms) {
    return PathChecker(dist_info, platforms).check(members);
}

}  // namespace wheelarch
