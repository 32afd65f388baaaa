#include "wheel/inflate.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr char kDamaged[] = "the file is damaged: build or download it again";
// zlib counts its input in 32 bits.
constexpr std::uint64_t kMostInput = std::uint64_t{1} << 30U;

}  // namespace

Inflater::Inflater(ByteView compressed) : compressed_(compressed) {
    // Negative window bits: no zlib header or trailer around the stream.
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {
        throw unchecked("cannot set up zlib: out of memory, or a zlib other than this program was built with");
    }
}

Inflater::~Inflater() {
    inflateEnd(&stream_);
}

void Inflater::feed() {
    const ByteView next = compressed_.clipped(fed_, kMostInput);
    stream_.next_in = next.data();
    stream_.avail_in = static_cast<uInt>(next.size());
    fed_ += next.size();
}

std::size_t Inflater::read(unsigned char* buffer, std::size_t capacity) {
    const std::size_t room = std::min<std::size_t>(capacity, std::numeric_limits<uInt>::max());
    stream_.next_out = buffer;
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out > 0 && !finished_) {
        if (stream_.avail_in == 0) {
            feed();
        }
        const int result = inflate(&stream_, Z_NO_FLUSH);
        finished_ = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR) {
            throw unchecked("zlib is out of memory");
        }
        if (result == Z_BUF_ERROR && fed_ == compressed_.size() && stream_.avail_in == 0) {
            throw unchecked(fmt::format("the deflate stream goes on after its {} compressed bytes", compressed_.size()),
                            kDamaged);
        }
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            throw unchecked(fmt::format("the deflate stream is damaged at compressed byte {}: {}", used(),
                                        stream_.msg == nullptr ? "unknown error" : stream_.msg),
                            kDamaged);
        }
    }
    return room - stream_.avail_out;
}

}  // namespace wheelarch
