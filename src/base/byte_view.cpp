#include "base/byte_view.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

template <typename Unsigned>
Unsigned little_endian(const unsigned char* bytes) {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) {
        value = static_cast<Unsigned>(value | static_cast<Unsigned>(bytes[i]) << (8 * i));
    }
    return value;
}

}  // namespace

const unsigned char* ByteView::require(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    if (offset > size_ || size > size_ - offset) {
        throw unchecked(fmt::format("{} needs {} bytes here, but the data ends at {:#x}", what, size, origin_ + size_),
                        "the file is cut short or damaged: build or download it again")
            .at(origin_ + offset);
    }
    return data_ + offset;
}

std::uint8_t ByteView::u8(std::uint64_t offset, std::string_view what) const {
    return *require(offset, 1, what);
}

std::uint16_t ByteView::u16(std::uint64_t offset, std::string_view what) const {
    return little_endian<std::uint16_t>(require(offset, 2, what));
}

std::uint32_t ByteView::u32(std::uint64_t offset, std::string_view what) const {
    return little_endian<std::uint32_t>(require(offset, 4, what));
}

std::uint64_t ByteView::u64(std::uint64_t offset, std::string_view what) const {
    return little_endian<std::uint64_t>(require(offset, 8, what));
}

ByteView ByteView::slice(std::uint64_t offset, std::uint64_t size, std::string_view what) const {
    return {require(offset, size, what), size, origin_ + offset};
}

ByteView ByteView::from(std::uint64_t offset, std::string_view what) const {
    require(offset, 0, what);
    return {data_ + offset, size_ - offset, origin_ + offset};
}

ByteView ByteView::clipped(std::uint64_t offset, std::uint64_t size) const noexcept {
    const std::uint64_t start = std::min(offset, size_);
    return {data_ + start, std::min(size, size_ - start), origin_ + start};
}

std::string_view ByteView::c_string(std::uint64_t offset, std::string_view what) const {
    const ByteView rest = from(offset, what);
    const void* end = rest.empty() ? nullptr : std::memchr(rest.data(), 0, static_cast<std::size_t>(rest.size()));
    if (end == nullptr) {
        throw unchecked(fmt::format("{} has no terminating NUL", what),
                        "the file is cut short or damaged: build or download it again")
            .at(origin_ + offset);
    }
    return rest.text().substr(0, static_cast<std::size_t>(static_cast<const unsigned char*>(end) - rest.data()));
}

}  // namespace wheelarch
