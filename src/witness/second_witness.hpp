// The second witness: cuobjdump beside our own reader, compared image by image. A disagreement is an Error (exit 3),
// never a choice between the two.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "base/scratch.hpp"
#include "wheel/inventory.hpp"
#include "witness/cuobjdump.hpp"

namespace wheelarch {

enum class WitnessMode {
    automatic,  // both, where cuobjdump is at hand and new enough for the file
    native,     // our reader alone
    cuobjdump,  // the archs are those that cuobjdump lists; kernel-less images cannot be told apart then
    both,       // a file that cuobjdump cannot be asked about is an Error
};
// Throws an Error (exit 2) on an unknown name.
WitnessMode parse_witness_mode(std::string_view text);

class SecondWitness {
public:
    // Looks for cuobjdump if the mode needs it. Throws an Error (exit 3) if it is required and not there.
    SecondWitness(WitnessMode mode, const std::string& cuobjdump_path, std::chrono::seconds time_limit);

    // Another one of the same program, for use in another thread: each has a folder of its own.
    SecondWitness another() const;

    // For InventoryOptions::second_witness. One call at a time.
    void ask(const MemberSource& source, const DeviceCode& code, Member& member);

    const std::optional<Cuobjdump>& cuobjdump() const noexcept { return cuobjdump_; }
    // What is to be said of the run as a whole: that cuobjdump was not found, or not asked.
    const std::vector<Finding>& findings() const noexcept { return findings_; }

private:
    SecondWitness(WitnessMode mode, const std::optional<Cuobjdump>& cuobjdump) : mode_(mode), cuobjdump_(cuobjdump) {}

    std::string reason_not_to_ask(const DeviceCode& code) const;
    void leave_out(Member& member, const std::string& reason) const;
    std::vector<Listed> list(const MemberSource& source, const DeviceCode& code);

    WitnessMode mode_;
    std::optional<Cuobjdump> cuobjdump_;
    std::vector<Finding> findings_;
    std::optional<ScratchFolder> folder_;
};

// The first CUDA release that knows all that is in these images; an older cuobjdump may invent archs for them.
// Nothing if that is newer than our tables.
std::optional<CudaVersion> oldest_reader(const std::vector<Image>& images);

// Empty if both saw the same images in the same order; else what differs. Two differences are known and explained:
//   SASS with the suffix `f` is listed without it: a cubin keeps no trace of it.
//   SASS without a suffix is listed with `a` where the cubin itself says `a` (`cubin_says_a`), as nvcc's tile kernels
//   do. cuobjdump names the cubin; the entry header, by which the driver chooses, is what we go by.
std::string difference(const std::vector<Image>& native, const std::vector<Listed>& listed,
                       const std::function<bool(const Image&)>& cubin_says_a);

}  // namespace wheelarch
