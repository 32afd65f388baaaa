// Embedded code: what lies in a file as data and is code for a device all the same. Programs load such code by the
// driver's API, so no structure leads to it, and it is searched for by its magic bytes. These alone mean little (CUDA's
// own libraries have them by the thousand, in tables and as numbers in machine code), so a hit is what holds as a
// whole:
//
//   fatbin   a region with all of its entries, as fatbin.hpp reads it
//   cubin    an ELF header for EM_CUDA with tables that lie in the file, and an arch that it was built for
//   bitcode  LLVM's magic and the head of its first block; device libraries and LTO-IR are stored so
//   amd      a bundle of clang's offload bundler, plain or compressed, with a target `hip…` or `amdgcn…`
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/byte_view.hpp"
#include "binary/fatbin.hpp"

namespace wheelarch {

enum class EmbeddedKind : std::uint8_t { fatbin, cubin, bitcode, amd };

struct Embedded {
    EmbeddedKind kind = EmbeddedKind::fatbin;
    ByteView bytes;
};

// Calls `visit` for each hit in order. Bytes inside a hit are not searched again. `done` is called with bytes that were
// searched, about 32 MiB at a time.
void find_embedded(ByteView data, const std::function<void(const Embedded&)>& visit,
                   const std::function<void(ByteView)>& done);

// Tells from a stream of pieces, whose bytes are gone afterwards, whether a search of the whole may find anything.
class EmbeddedScout {
public:
    void add(ByteView piece);
    bool may_hold_code() const noexcept { return found_; }

private:
    std::string tail_;  // of the pieces before
    bool found_ = false;
};

}  // namespace wheelarch
