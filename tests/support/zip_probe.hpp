// Reads all of an archive, and tells what came of it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

inline std::string read_whole(const ZipMember& member) {
    std::string content;
    read_member(member, [&](ByteView piece) {
        CHECK(piece.origin() == content.size());
        content += piece.text();
        return true;
    });
    return content;
}

// Name and content of each member.
inline std::map<std::string, std::string> zip_contents(std::string_view archive) {
    std::map<std::string, std::string> contents;
    for (const ZipMember& member : read_zip(ByteView(archive))) {
        const std::string content = read_whole(member);
        CHECK(read_head(member, 3) == content.substr(0, 3));
        contents[member.name] = content;
    }
    return contents;
}

// The text of the Error that `body` ends with, or a text that says that there was none. Each must exit 3 and say what
// to do.
template <typename Body>
std::string error_of(Body&& body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        CHECK(!error.fix().empty());
        return error.what();
    }
    return "no error";
}

inline std::string zip_error(std::string_view archive) {
    return error_of([&] { zip_contents(archive); });
}

}  // namespace wheelarch
