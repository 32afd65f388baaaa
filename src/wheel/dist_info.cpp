#include "wheel/dist_info.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t start = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(start, text.find_last_not_of(kBlanks) + 1 - start);
}

bool same_key(std::string_view left, std::string_view right) {
    return lower_case(left) == lower_case(right);
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

}  // namespace

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

std::vector<std::string> header_values(std::string_view text, std::string_view key) {
    std::vector<std::string> values;
    bool of_key = false;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (trimmed(line).empty()) {
            break;
        }
        if (line.front() == ' ' || line.front() == '\t') {
            if (of_key) {
                values.back() += fmt::format(" {}", trimmed(line));
            }
            continue;
        }
        const std::size_t colon = line.find(':');
        of_key = colon != std::string_view::npos && same_key(line.substr(0, colon), key);
        if (of_key) {
            values.emplace_back(trimmed(line.substr(colon + 1)));
        }
    }
    return values;
}

}  // namespace wheelarch
