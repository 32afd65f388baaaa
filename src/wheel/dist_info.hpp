// The `.dist-info` folder of a wheel and what is written in it, as "Binary distribution format" on
// packaging.python.org has it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/zip.hpp"

namespace wheelarch {

// The folders `*.dist-info` at the top of the archive, without a slash, sorted. A good wheel has one.
std::vector<std::string> dist_info_folders(const std::vector<ZipMember>& members);

// Null if there is none of that name.
const ZipMember* find_member(const std::vector<ZipMember>& members, std::string_view name);

inline constexpr std::uint64_t kMaxRecordSize = std::uint64_t{32} << 20U;  // a quarter of a million files

// All of a small member. More than `limit` bytes are an Error.
std::string read_small(const ZipMember& member, std::uint64_t limit);

}  // namespace wheelarch
