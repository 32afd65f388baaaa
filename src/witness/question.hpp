// Question: which images of a file a release of cuobjdump can be asked about. One that it cannot read makes it give up
// on the whole file, or invent an arch; so that image alone is left out, and the others are still compared.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch.hpp"
#include "binary/device_code.hpp"
#include "policy/cuda_archs.hpp"
#include "witness/cuobjdump.hpp"

namespace wheelarch {

// The first CUDA release whose cuobjdump reads such an image; an older one may invent an arch for it. Nothing if that
// is newer than our tables. Measured with 11.2 to 13.5 on what the ptxas of 11.2 to 13.5 wrote (docs/limits.md).
std::optional<CudaVersion> oldest_reader(const Image& image);

class Question {
public:
    // `code` must outlive it.
    Question(const DeviceCode& code, CudaVersion release);

    bool asks_nothing() const noexcept;
    // All of the file, so that cuobjdump can be shown the file itself.
    bool asks_all() const noexcept { return whole_; }
    // The images that it is asked about, in order.
    std::vector<Image> asked() const;
    // Whole regions with only the entries that are asked about, as one raw fatbin.
    void write(ScratchFile& file) const;

    // Leaves out what made cuobjdump give up, if that is something that good files have; `file` is opened for it, and
    // `done` called with what was read. False if nothing more can be left out.
    bool leave_out(const Refused& refused, ByteView file, const std::function<void(ByteView)>& done);

    // Why each image is left out, in a sentence for each cause. Empty if none is.
    std::vector<std::string> reasons() const;

private:
    enum class Cause : std::uint8_t { none, unlisted, ptx_text, too_old, removed, stray_link };

    bool mark(Cause cause, const std::function<bool(const Image&)>& is_meant);
    std::string reason(Cause cause) const;

    const DeviceCode& code_;
    CudaVersion release_;
    bool whole_ = true;
    std::vector<Cause> causes_;  // one for each image
};

}  // namespace wheelarch
