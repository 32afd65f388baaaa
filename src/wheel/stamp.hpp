// Stamping: `_build_info.json` is put into the `.dist-info/` of a wheel, and RECORD is kept true.
//
// The wheel is written anew: all other members keep their order, their compressed bytes, times, attributes and extra
// fields; the stamp and RECORD come last, stored, so that the same input gives the same bytes on every machine. Data
// descriptors and member comments, which the package index refuses, are left out. The wheel is replaced by a rename
// once the new one has been read back; whatever fails before leaves it as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_lock.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

inline constexpr char kStampName[] = "_build_info.json";

// The wheel as it is now.
struct Stamped {
    std::string sha256;  // lowercase hex
    std::uint64_t size = 0;
    bool changed = false;  // false: it held just this stamp already, and was not touched
    FileLock lock = {};    // of the new file
};

// `build_info` is the whole text of the stamp. `source_date_epoch` becomes the time of the two new members; without
// one they take the old RECORD's. The inventory must have been taken of this very file with `hash_members`, and
// check_wheel must not fail on it; else an Error (exit 3) says so.
Stamped stamp_wheel(const Inventory& inventory, std::string_view build_info,
                    std::optional<std::int64_t> source_date_epoch);

// The stamp in a wheel, if there is one. Throws an Error (exit 3) if the wheel cannot be read or has a stamp of more
// than kMaxStampSize bytes.
std::optional<std::string> read_stamp(const std::filesystem::path& wheel);
inline constexpr std::uint64_t kMaxStampSize = std::uint64_t{64} << 20U;

// $SOURCE_DATE_EPOCH in seconds; nothing if it is unset or empty. Text that is no whole number is an Error (exit 2).
std::optional<std::int64_t> source_date_epoch();

}  // namespace wheelarch
