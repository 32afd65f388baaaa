#include "wheel/member_paths.hpp"

#include <cctype>
#include <string_view>

#include "wheel/stamp.hpp"

namespace wheelarch {
namespace {

bool has_parent_part(std::string_view path) {
    while (!path.empty()) {
        const std::string_view part = path.substr(0, path.find('/'));
        if (part == "..") {
            return true;
        }
        path.remove_prefix(part.size() + (part.size() < path.size() ? 1 : 0));
    }
    return false;
}

bool leads_out(std::string_view path) {
    const bool drive = path.size() > 1 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0])) != 0;
    return path.front() == '/' || drive || path.find('\\') != std::string_view::npos || has_parent_part(path);
}

// The file type that a Unix zip program stores in the upper half of the external attributes.
bool is_symbolic_link(const ZipMember& member) {
    constexpr std::uint32_t kTypeMask = 0170000;
    constexpr std::uint32_t kLink = 0120000;
    return ((member.external_attributes >> 16U) & kTypeMask) == kLink;
}

}  // namespace

std::vector<Finding> check_member_paths(const std::vector<ZipMember>& members, const std::string& dist_info) {
    const std::string stamp_folder = dist_info + "/" + kStampName + "/";
    std::vector<Finding> findings;
    for (const ZipMember& member : members) {
        if (leads_out(member.name)) {
            findings.push_back({"member-path", Severity::error, member.name,
                                "the path leads out of the folder that the wheel is unpacked into",
                                "pack the wheel again, with paths relative to its root and forward slashes"});
        } else if (!dist_info.empty() && member.name.starts_with(stamp_folder)) {
            findings.push_back({"member-path", Severity::error, member.name, "it lies where the stamp has to",
                                "leave it out of the wheel"});
        } else if (is_symbolic_link(member)) {
            findings.push_back({"member-path", Severity::warning, member.name,
                                "a symbolic link: installers write the name of its target into a file instead",
                                "put the file itself into the wheel"});
        }
    }
    return findings;
}

}  // namespace wheelarch
