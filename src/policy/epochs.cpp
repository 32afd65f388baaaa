#include "policy/epochs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "policy/wording.hpp"

namespace wheelarch {

bool reach(const Epochs& built, const Epochs& today) {
    return built.farm >= today.farm && built.package >= today.package;
}

Epochs latest(const Epochs& left, const Epochs& right) {
    return {std::max(left.farm, right.farm), std::max(left.package, right.package)};
}

std::string to_text(const Epochs& epochs) {
    return epochs.package == 0 ? fmt::format("{}", epochs.farm) : fmt::format("{}+pkg{}", epochs.farm, epochs.package);
}

std::string to_text(const BumpStep& step) {
    return fmt::format("{} {} ({}{}{})", step.of_farm ? "epoch" : "the package's own epoch", step.number,
                       step.bump.lists ? "lists" : "all", step.bump.why.empty() ? "" : ": ", shortened(step.bump.why));
}

}  // namespace wheelarch
