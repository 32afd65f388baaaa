// Any bytes as an archive: its members are listed, sniffed and read, up to a few MiB each. Only an Error may come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "wheel/zip.hpp"

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20U;

void read(const wheelarch::ZipMember& member) {
    std::uint64_t total = 0;
    try {
        wheelarch::read_head(member, 64);
        wheelarch::read_member(member, [&](wheelarch::ByteView piece) {
            total += piece.size();
            return total < kMostBytes;
        });
    } catch (const wheelarch::Error&) {  // NOLINT(bugprone-empty-catch)
        // The next member may still be fine.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-identifier-naming)
    try {
        for (const wheelarch::ZipMember& member : wheelarch::read_zip({data, size})) {
            read(member);
        }
    } catch (const wheelarch::Error&) {  // NOLINT(bugprone-empty-catch)
        // What a hostile archive should end in.
    }
    return 0;
}
