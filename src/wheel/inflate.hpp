// Inflater: a raw deflate stream (RFC 1951), inflated piece by piece by zlib.
#pragma once

#include <cstddef>
#include <cstdint>

#ifndef ZLIB_CONST
#define ZLIB_CONST  // zlib reads its input through pointers to const
#endif
#include <zlib.h>

#include "base/byte_view.hpp"

namespace wheelarch {

class Inflater {
public:
    explicit Inflater(ByteView compressed);
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater();

    // Inflates the next bytes into `buffer`; fewer than `capacity` only when the stream is finished. Throws an Error
    // if the stream is damaged or stops in the middle.
    std::size_t read(unsigned char* buffer, std::size_t capacity);

    bool finished() const noexcept { return finished_; }
    // How many compressed bytes were read so far; the rest of them does not belong to a finished stream.
    std::uint64_t used() const noexcept { return fed_ - stream_.avail_in; }

private:
    void feed();

    ByteView compressed_;
    z_stream stream_ = {};
    std::uint64_t fed_ = 0;
    bool finished_ = false;
};

}  // namespace wheelarch
