#include "base/json_bound.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {

// Those in texts are counted too: a path may have a comma, but not a million.
void require_few_values(std::string_view json, std::size_t most) {
    const auto count =
        std::count_if(json.begin(), json.end(), [](char one) { return one == ',' || one == '[' || one == '{'; });
    if (static_cast<std::size_t>(count) > most) {
        throw unchecked(fmt::format("it has more than {} values", most));
    }
}

}  // namespace wheelarch
