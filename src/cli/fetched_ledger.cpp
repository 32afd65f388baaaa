#include "cli/fetched_ledger.hpp"

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {

Ledger open_ledger(const std::string& farm, const std::string& branch, const std::string& remote, bool trust_config) {
    return Ledger({farm, branch, remote, environment("WHEELARCH_TOKEN"), trust_config});
}

std::optional<Ledger::Tip> fetched_tip(Ledger& ledger, bool offline) {
    if (ledger.has_remote() && !offline) {
        ledger.fetch();
    }
    auto tip = ledger.tip();
    if (!tip && offline && ledger.has_remote()) {
        throw unchecked(
            fmt::format("the branch {} was not fetched, so nobody can say what is recorded", printable(ledger.name())),
            "leave out --offline, or fetch the branch before: `git fetch REMOTE BRANCH`");
    }
    return tip;
}

}  // namespace wheelarch
