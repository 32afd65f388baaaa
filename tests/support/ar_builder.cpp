#include "support/ar_builder.hpp"

#include "support/bytes.hpp"

namespace wheelarch {
namespace {

std::string blank_padded(std::string text, std::size_t size) {
    text.resize(size, ' ');
    return text;
}

std::string member(const std::string& name, const std::string& content, const ArMemberSpec& spec = {}) {
    std::string bytes = blank_padded(spec.header_name.value_or(name), 16) + blank_padded("0", 12) +
                        blank_padded("0", 6) + blank_padded("0", 6) + blank_padded("100644", 8) +
                        blank_padded(spec.header_size.value_or(std::to_string(content.size())), 10) + spec.header_end;
    bytes += content;
    return bytes + (content.size() % 2 == 0 ? "" : "\n");
}

std::string bsd_member(const ArMemberSpec& spec) {
    const bool fits = spec.name.size() <= 16 && spec.name.find(' ') == std::string::npos;
    if (fits) {
        return member(spec.name, spec.content, spec);
    }
    std::string name = spec.name + '\0';
    pad(name, 4);
    return member("#1/" + std::to_string(name.size()), name + spec.content, spec);
}

std::string gnu_members(const ArSpec& spec) {
    std::string names;
    std::string members;
    for (const ArMemberSpec& each : spec.members) {
        if (each.name.size() < 16) {
            members += member(each.name + "/", each.content, each);
        } else {
            members += member("/" + std::to_string(names.size()), each.content, each);
            names += each.name + (spec.names == ArNames::gnu ? std::string("/\n") : std::string(1, '\0'));
        }
    }
    return (names.empty() ? std::string() : member("//", names)) + members;
}

}  // namespace

std::string build_ar(const ArSpec& spec) {
    std::string bytes = spec.thin ? "!<thin>\n" : "!<arch>\n";
    if (spec.symbol_table) {
        bytes += spec.names == ArNames::bsd ? member("__.SYMDEF SORTED", zeros(8)) : member("/", zeros(4));
    }
    if (spec.names != ArNames::bsd) {
        return bytes + gnu_members(spec);
    }
    for (const ArMemberSpec& each : spec.members) {
        bytes += bsd_member(each);
    }
    return bytes;
}

}  // namespace wheelarch
