// Any bytes as a section of fatbins: regions, entries, and their payloads, decompressed. Only an Error may come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/fatbin.hpp"
#include "binary/payload.hpp"
#include "binary/ptx.hpp"

namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

void open(const wheelarch::FatbinEntry& entry) {
    if (entry.size > kMostBytes && entry.size <= wheelarch::kMaxOpenedImage) {
        return;  // would only cost time
    }
    wheelarch::PayloadReader reader;
    try {
        reader.open_head(entry, 64);
        const wheelarch::ByteView payload = reader.open(entry);
        wheelarch::is_ptx(payload);
        wheelarch::ptx_has_code(payload);
        wheelarch::ptx_arch(payload);
    } catch (const wheelarch::Error&) {
        // The next entry may still be fine.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        wheelarch::for_each_region({data, size}, [](const wheelarch::FatbinRegion& region) {
            for (const wheelarch::FatbinEntry& entry : region.entries) {
                open(entry);
            }
        });
    } catch (const wheelarch::Error&) {
        // What a hostile section should end in.
    }
    return 0;
}
