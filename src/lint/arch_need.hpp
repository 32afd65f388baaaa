// ArchNeed: what source code asks of an arch list.
#pragma once

#include <compare>

#include "base/arch.hpp"
#include "lint/arch_mask.hpp"

namespace wheelarch {

// What a list must hold for a piece of source to do its work.
struct ArchNeed {
    enum class Kind {
        at_least,      // code for `at` and up only: a device of `at` must not load something lower (8.6 for an 8.9)
        exact_suffix,  // code for `at` with the suffix `a` only: `at` without it is a stub
        family,        // as exact_suffix, and `f` will do
        floor,         // does not compile below `at`: nothing lower may be in the list, SASS or PTX
        not_plain,     // does not compile for `at` without a suffix: it may not be in the list
        not_in,        // is for `at`, and does not compile for the archs of `enough`: none may be in the list
    };

    Arch at;  // without suffix, except exact_suffix (`a`) and family (`f`)
    Kind kind = Kind::at_least;
    // at_least: code for these is enough for a device of `at`, though lower.
    ArchMask enough = kNoPass;

    auto operator<=>(const ArchNeed&) const = default;
};

}  // namespace wheelarch
