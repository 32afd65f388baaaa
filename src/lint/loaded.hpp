// What a device loads of the code that a list asks for, and whether it is what the source needs there.
#pragma once

#include <optional>
#include <string>

#include "base/arch.hpp"
#include "lint/arch_need.hpp"

namespace wheelarch {

struct Loaded {
    enum class How {
        nothing,     // no code runs on it: the list does not mean to serve this device
        left_out,    // no code runs on it, but on lower devices and on later ones of its major
        fits,        // what the need asks for
        lower_sass,  // SASS of its major that is not
        lower_ptx,   // PTX that is not, compiled on the device; __CUDA_ARCH__ in it is the PTX's
    };

    How how = How::nothing;
    Arch arch;  // what is loaded; left_out: the first of its major
};

// `need` is none of those for which something does not compile. A device takes SASS of its own compute capability
// first, then of the highest lower minor of its major, then the highest PTX up to it (CUDA C++ Programming Guide,
// "Binary compatibility" and "PTX compatibility").
Loaded load_for(const ArchSet& declared, const ArchNeed& need);

// Are there GPUs of it that go into a computer? Modules with a processor of their own (Jetson, DRIVE) are built for by
// themselves.
bool has_cards(std::uint32_t number);

// `10.0`, `10.0 as PTX`: the arch without a suffix, if it is in the list.
std::optional<std::string> plain_in(const ArchSet& declared, std::uint32_t number);

// The lowest arch of the list that is one of `passes`, as torch spells it.
std::optional<std::string> lowest_in(const ArchSet& declared, ArchMask passes);

// The lowest arch below `number` in the list, as torch spells it (`7.0`, `7.0 as PTX`); none if nothing is below.
std::optional<std::string> lowest_below(const ArchSet& declared, std::uint32_t number);

}  // namespace wheelarch
