#include "binary/ar.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::string_view kThinMagic = "!<thin>\n";
constexpr std::uint64_t kHeader = 60;
constexpr std::string_view kHeaderEnd = "`\n";

std::string_view trimmed(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::uint64_t decimal(ByteView field, std::string_view what) {
    const std::string_view text = trimmed(field.text());
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) {
        throw unchecked(fmt::format("{} of an archive member is not a decimal number", what), kDamaged)
            .at(field.origin());
    }
    return value;
}

bool is_table(std::string_view name) {
    return name == "/" || name == "/SYM64/" || name == "//" || name == "/<ECSYMBOLS>/" || name == "/<XFGHASHMAP>/" ||
           name.starts_with("__.SYMDEF");
}

// GNU: `/N` is an offset into the `//` member, whose names end in `/\n` (or NUL, in Microsoft's libraries).
std::string long_name(ByteView names, ByteView field) {
    const std::uint64_t offset = decimal(field.slice(1, 15, "a member name"), "the name offset");
    const std::string_view rest = names.from(offset, "a long member name").text();
    const std::string_view name = rest.substr(0, rest.find_first_of(std::string_view("\n\0", 2)));
    return std::string(name.ends_with('/') ? name.substr(0, name.size() - 1) : name);
}

}  // namespace

bool is_ar(ByteView file) noexcept {
    return file.starts_with(kMagic) || file.starts_with(kThinMagic);
}

std::vector<ArMember> read_ar(ByteView file) {
    if (file.starts_with(kThinMagic)) {
        throw unchecked("a thin archive: its objects lie outside of it", "ship a regular archive (ar without --thin)");
    }
    std::vector<ArMember> members;
    ByteView names;
    for (std::uint64_t at = kMagic.size(); at < file.size();) {
        const ByteView header = file.slice(at, kHeader, "an archive member header");
        if (header.slice(58, 2, "an archive header end").text() != kHeaderEnd) {
            throw unchecked("an archive member header does not end as one", kDamaged).at(header.origin());
        }
        const std::uint64_t size = decimal(header.slice(48, 10, "a member size"), "the size");
        ByteView bytes = file.slice(at + kHeader, size, "an archive member");
        at += kHeader + size + size % 2;

        const ByteView field = header.slice(0, 16, "a member name");
        std::string name(trimmed(field.text()));
        if (name == "//") {
            names = bytes;
        }
        if (name.starts_with("#1/")) {
            const std::uint64_t length = decimal(field.slice(3, 13, "a member name"), "the name length");
            name = std::string(bytes.slice(0, length, "a member name").text());
            name.resize(std::min(name.size(), name.find('\0')));
            bytes = bytes.from(length, "an archive member");
        } else if (name.size() > 1 && name[0] == '/' && name[1] >= '0' && name[1] <= '9') {
            name = long_name(names, field);
        } else if (name.size() > 1 && name.ends_with('/') && !is_table(name)) {
            name.pop_back();
        }
        if (!is_table(name)) {
            members.push_back({std::move(name), bytes});
        }
    }
    return members;
}

}  // namespace wheelarch
