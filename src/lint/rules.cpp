#include <algorithm>

#include "lint/rule.hpp"

namespace wheelarch {

const std::vector<const Rule*>& rules() {
    static const std::vector<const Rule*> all = {
        &arch_gate_rule(),        &feature_macro_rule(),   &fp8_type_rule(),
        &instruction_rule(),      &explicit_target_rule(), &arch_list_override_rule(),
        &arch_list_number_rule(), &compress_mode_rule(),   &stale_ignore_rule()};
    return all;
}

const Rule* find_rule(std::string_view id) {
    const auto found = std::find_if(rules().begin(), rules().end(), [&](const Rule* rule) { return rule->id == id; });
    return found == rules().end() ? nullptr : *found;
}

}  // namespace wheelarch
