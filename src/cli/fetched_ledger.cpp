#include "cli/fetched_ledger.hpp"

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {

void add_trust(Arguments& arguments, bool& trust_git_config) {
    arguments.flag("--trust-git-config", trust_git_config,
                   "follow the repository's own git configuration, whatever it starts or asks");
}

void add_place(Arguments& arguments, LedgerPlace& place) {
    arguments.text("--farm", place.farm, "DIR", "a folder in the repository that has the ledger");
    arguments.text("--branch", place.branch, "NAME", "the branch of the ledger");
    arguments.text("--remote", place.remote, "NAME",
                   "where the branch is fetched from and pushed to; default: origin, or the only one there is");
    add_trust(arguments, place.trust_git_config);
}

Ledger open_ledger(const LedgerPlace& place) {
    return open_ledger(place.farm, place.branch, place.remote, place.trust_git_config);
}

Ledger open_ledger(const std::string& farm, const std::string& branch, const std::string& remote, bool trust_config) {
    return Ledger({farm, branch, remote, environment("WHEELARCH_TOKEN"), trust_config});
}

Ledger::Tip find_tip(Ledger& ledger, bool fetch) {
    if (fetch || (!ledger.tip() && ledger.has_remote())) {
        ledger.fetch();
    }
    const auto tip = ledger.tip();
    if (!tip) {
        throw unchecked(fmt::format("there is no ledger: no branch {}", ledger.name()),
                        "name it with --branch and --remote; `wheelarch ledger record` makes it with its first entry");
    }
    return *tip;
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
