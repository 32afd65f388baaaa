// Builds ar archives in memory from a readable description, independent of our reader.
//
//   build_ar({.members = {{.name = "a.o", .content = object}}})
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wheelarch {

enum class ArNames {
    gnu,        // `name/`, and `/N` into a `//` member
    bsd,        // `name`, and `#1/N` with the name before the content
    microsoft,  // as gnu, but the long names end in NUL
};

struct ArMemberSpec {
    std::string name = {};
    std::string content = {};
    std::optional<std::string> header_name = {};  // the 16 bytes as they shall stand, blanks added
    std::optional<std::string> header_size = {};  // likewise, the 10 bytes of the size
    std::string header_end = "`\n";
};

struct ArSpec {
    ArNames names = ArNames::gnu;
    bool symbol_table = true;
    bool thin = false;
    std::vector<ArMemberSpec> members = {};
};

std::string build_ar(const ArSpec& spec);

}  // namespace wheelarch
