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
#include "witness/question.hpp"

namespace wheelarch {

enum class WitnessMode {
    automatic,  // both, where cuobjdump is at hand; an image that it cannot be asked about is read by ours alone
    native,     // our reader alone
    cuobjdump,  // the archs are those that cuobjdump lists; kernel-less images cannot be told apart then
    both,       // an image that cuobjdump cannot be asked about is an Error
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

    std::vector<Listed> list(const MemberSource& source, const DeviceCode& code, Question& question);
    std::vector<Listed> list_once(const MemberSource& source, const DeviceCode& code, const Question& question);
    void require_all(const Question& question) const;
    void compare(const MemberSource& source, const std::vector<Image>& asked, const std::vector<Listed>& listed,
                 const DeviceCode& code, Member& member) const;

    WitnessMode mode_;
    std::optional<Cuobjdump> cuobjdump_;
    std::vector<Finding> findings_;
    std::optional<ScratchFolder> folder_;
};

// Empty if both saw the same images in the same order; else what differs. `cubin` gives what the native reader sees in
// the cubin of an image. cuobjdump names the cubin, while the entry header, by which the driver chooses, is what we go
// by; so three differences in the suffix of SASS are explained:
//   the entry has `f`, and the list none: a cubin keeps no trace of it;
//   the entry has `a`, and the list of a cuobjdump before 13.0 none: it does not know where CUDA 13's cubins keep it;
//   the list has an `a`, the entry has none, and the cubin itself says `a`: nvcc files tile kernels so, and with other
//   kernels it is `header-differs`.
std::string difference(const std::vector<Image>& native, const std::vector<Listed>& listed, CudaVersion release,
                       const std::function<Arch(const Image&)>& cubin);

}  // namespace wheelarch
