#include "lint/judge.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace wheelarch {
namespace {

bool before(const LintFinding& left, const LintFinding& right) {
    return std::tie(left.path, left.line, left.column, left.rule, left.subject, left.problem) <
           std::tie(right.path, right.line, right.column, right.rule, right.subject, right.problem);
}

bool same(const LintFinding& left, const LintFinding& right) {
    return !before(left, right) && !before(right, left);
}

}  // namespace

std::vector<LintFinding> judge(const Package& package, const std::vector<LintHit>& hits,
                               const std::vector<DeclaredList>& lists) {
    std::vector<LintFinding> findings;
    for (const LintHit& hit : hits) {
        if (auto finding = hit.rule->judge(package, hit, lists)) {
            findings.push_back(*std::move(finding));
        }
    }
    return findings;
}

std::vector<LintFinding> judge_policy(const Package& package, const std::vector<DeclaredList>& lists) {
    std::vector<LintFinding> findings;
    for (const Rule* rule : rules()) {
        if (auto finding = rule->in_policy == nullptr ? std::nullopt : rule->in_policy(package, lists)) {
            finding->rule = rule->id;
            findings.push_back(*std::move(finding));
        }
    }
    return findings;
}

void sort_findings(std::vector<LintFinding>& findings) {
    std::sort(findings.begin(), findings.end(), before);
    findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

}  // namespace wheelarch
