// ar: the members of a static library (.a, and Windows' .lib, which is the same container).
#pragma once

#include <string>
#include <vector>

#include "base/byte_view.hpp"

namespace wheelarch {

struct ArMember {
    std::string name;
    ByteView bytes;
};

bool is_ar(ByteView file) noexcept;

// Members in file order, without the symbol and name tables. GNU (`/N`, `name/`) and BSD (`#1/N`) long names. Throws
// an Error on a thin archive, whose members lie elsewhere.
std::vector<ArMember> read_ar(ByteView file);

}  // namespace wheelarch
