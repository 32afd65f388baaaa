#include "base/finding.hpp"

#include <algorithm>

namespace wheelarch {

std::string_view name(Severity severity) {
    switch (severity) {
        case Severity::notice: return "notice";
        case Severity::warning: return "warning";
        case Severity::error: return "error";
    }
    return "error";
}

bool fails(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.severity == Severity::error; });
}

}  // namespace wheelarch
