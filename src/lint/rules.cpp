#include <algorithm>
#include <utility>

#include "lint/rule.hpp"

namespace wheelarch {

// Each is in rule_<id>.cpp.
extern const Rule kArchGate;
extern const Rule kFeatureMacro;
extern const Rule kFp8Type;
extern const Rule kInstruction;
extern const Rule kExplicitTarget;
extern const Rule kArchListOverride;
extern const Rule kArchListNumber;
extern const Rule kCompressMode;
extern const Rule kStaleIgnore;

const std::vector<const Rule*>& rules() {
    static const std::vector<const Rule*> all = {&kArchGate,       &kFeatureMacro,   &kFp8Type,
                                                 &kInstruction,    &kExplicitTarget, &kArchListOverride,
                                                 &kArchListNumber, &kCompressMode,   &kStaleIgnore};
    return all;
}

const Rule* find_rule(std::string_view id) {
    const auto found = std::find_if(rules().begin(), rules().end(), [&](const Rule* rule) { return rule->id == id; });
    return found == rules().end() ? nullptr : *found;
}

void add_hits(std::vector<LintHit>& hits, const Rule& rule, const SourceFile& file, std::vector<LintHit>& of_file) {
    for (LintHit& hit : of_file) {
        hit.rule = &rule;
        hit.path = file.path;
        hits.push_back(std::move(hit));
    }
    of_file.clear();
}

}  // namespace wheelarch
