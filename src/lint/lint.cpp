#include "lint/lint.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "lint/device_facts.hpp"
#include "lint/ignores.hpp"

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

std::vector<LintHit> look_at(const PackageSources& sources) {
    DevicePackage device([&](const std::string& path) { return sources.find(path); });
    std::vector<LintHit> hits;
    for (const SourceFile& file : sources.files()) {
        const RuleInput input{file, device.facts(file)};
        for (const Rule* rule : rules()) {
            rule->check(input, hits);
        }
    }
    return hits;
}

void add_tree(PackageLint& lint, const Package& package, const PackageSources& sources,
              const std::vector<DeclaredList>& declared) {
    lint.files += sources.files().size();
    lint.bytes += sources.bytes();
    lint.skipped.insert(lint.skipped.end(), sources.skipped().begin(), sources.skipped().end());
    lint.declared.insert(lint.declared.end(), declared.begin(), declared.end());
    const std::vector<LintFinding> found = judge(package, look_at(sources), declared);
    lint.findings.insert(lint.findings.end(), found.begin(), found.end());
}

std::string file_of(const PackageLint& lint, const LintFinding& finding) {
    if (finding.in_policy) {
        return finding.path;
    }
    return lint.folder.empty() ? "" : (std::filesystem::path(lint.folder) / finding.path).lexically_normal().string();
}

void finish(PackageLint& lint, const Package& package) {
    const std::vector<LintFinding> of_flags = judge_flags(package, lint.declared);
    lint.findings.insert(lint.findings.end(), of_flags.begin(), of_flags.end());
    apply_ignores(package, lint.findings);
    std::sort(lint.findings.begin(), lint.findings.end(), before);
    lint.findings.erase(std::unique(lint.findings.begin(), lint.findings.end(), same), lint.findings.end());
}

}  // namespace wheelarch
