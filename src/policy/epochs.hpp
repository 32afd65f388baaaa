// Epochs: the farm's counter and the package's own. They are never compared with each other: a wheel is current only if
// it was built at or after each of them as it stands today.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/place.hpp"

namespace wheelarch {

struct Epochs {
    std::uint64_t farm = 1;     // from 1
    std::uint64_t package = 0;  // 0: the package has none of its own

    bool operator==(const Epochs&) const = default;
};

// Are these at or after the others, in both counters? Neither of two may be.
bool reach(const Epochs& built, const Epochs& today);
// The later of each counter.
Epochs latest(const Epochs& left, const Epochs& right);
// `2`, or `2+pkg1` where the package has its own.
std::string to_text(const Epochs& epochs);

// What a bump is for, as `bumps` says. One that says nothing is for everything.
struct Bump {
    bool lists = false;  // only what gets another arch list is to be rebuilt
    std::string why;     // may be empty
    Place place;
};
using Bumps = std::map<std::uint64_t, Bump>;  // by the number that the counter was raised to

// One step of a counter between a build and today.
struct BumpStep {
    bool of_farm = true;
    std::uint64_t number = 0;
    Bump bump;
};
// `epoch 3 (lists: one more arch)`, `its own epoch 1 (all)`, safe to show.
std::string to_text(const BumpStep& step);

}  // namespace wheelarch
