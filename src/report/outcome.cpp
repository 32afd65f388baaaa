#include "report/outcome.hpp"

#include <algorithm>
#include <iterator>

namespace wheelarch {

std::vector<Located> located(const std::vector<Finding>& findings) {
    std::vector<Located> all;
    std::transform(findings.begin(), findings.end(), std::back_inserter(all),
                   [](const Finding& finding) { return Located{.finding = finding}; });
    return all;
}

}  // namespace wheelarch
