#include "wheel/dist_info.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
std::vector<std::string> dist_info_folders(const std::vector<ZipMember>& members) {
    std::set<std::string> folders;
    for (const ZipMember& member : members) {
        const std::string_view top = std::string_view(member.name).substr(0, member.name.find('/'));
        if (top.size() < member.name.size() && top.ends_with(".dist-info")) {
            folders.emplace(top);
        }
    }
    return {folders.begin(), folders.end()};
}

const ZipMember* find_member(const std::vector<ZipMember>& members, std::string_view name) {
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const ZipMember& member) { return member.name == name; });
    return found == members.end() ? nullptr : &*found;
}

std::string read_small(const ZipMember& member, std::uint64_t limit) {
    if (member.size > limit) {
        throw unchecked(fmt::format("the file is {} bytes long, the limit is {}", member.size, limit),
                        "no build writes one of that size: find out what did")
            .inside(member.name);
    }
    std::string content;
    content.reserve(static_cast<std::size_t>(member.size));
    read_member(member, [&](ByteView piece) {
        content += piece.text();
        return true;
    });
    return content;
}

}  // namespace wheelarch
