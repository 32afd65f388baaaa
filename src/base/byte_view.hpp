// ByteView: the only way this program looks at bytes it did not make. Every read checks its bounds and throws an
// Error with the offset in the file, so a reader of a hostile file cannot leave its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wheelarch {

class ByteView {
public:
    ByteView() = default;
    // `origin` is the offset of the first byte in the file that messages speak of.
    ByteView(const void* data, std::uint64_t size, std::uint64_t origin = 0)
        : data_(static_cast<const unsigned char*>(data)), size_(size), origin_(origin) {}
    explicit ByteView(std::string_view text) : ByteView(text.data(), text.size()) {}

    const unsigned char* data() const noexcept { return data_; }
    std::uint64_t size() const noexcept { return size_; }
    std::uint64_t origin() const noexcept { return origin_; }
    bool empty() const noexcept { return size_ == 0; }
    std::string_view text() const noexcept {
        return {reinterpret_cast<const char*>(data_), static_cast<std::size_t>(size_)};
    }

    // Little-endian reads, unaligned; `what` names the field in the Error.
    std::uint8_t u8(std::uint64_t offset, std::string_view what) const;
    std::uint16_t u16(std::uint64_t offset, std::string_view what) const;
    std::uint32_t u32(std::uint64_t offset, std::string_view what) const;
    std::uint64_t u64(std::uint64_t offset, std::string_view what) const;

    // Bytes [offset, offset + size).
    ByteView slice(std::uint64_t offset, std::uint64_t size, std::string_view what) const;
    // Bytes [offset, end).
    ByteView from(std::uint64_t offset, std::string_view what) const;
    // As `slice`, but cut to what there is; never throws.
    ByteView clipped(std::uint64_t offset, std::uint64_t size) const noexcept;
    // The NUL-terminated text at `offset`; the NUL must be inside the view.
    std::string_view c_string(std::uint64_t offset, std::string_view what) const;

    bool starts_with(std::string_view prefix) const noexcept { return text().starts_with(prefix); }

private:
    const unsigned char* require(std::uint64_t offset, std::uint64_t size, std::string_view what) const;

    const unsigned char* data_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint64_t origin_ = 0;
};

}  // namespace wheelarch
