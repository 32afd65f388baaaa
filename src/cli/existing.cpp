#include "cli/existing.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "plan/gh.hpp"

namespace wheelarch {

void add_existing(Arguments& arguments, ExistingOptions& options, const std::string& otherwise) {
    arguments.text("--existing", options.existing, "FILE",
                   "the assets that exist: names, or JSON as gh prints it; - is standard input; default: " + otherwise);
    arguments.text("--repo", options.repository, "OWNER/NAME", "the repository whose releases gh is asked for");
    arguments.text("--branch", options.branch, "NAME", "the branch of the ledger, which knows the wheels' epochs");
    arguments.text("--remote", options.remote, "NAME",
                   "where that branch is; default: origin, or the only one there is");
    add_trust(arguments, options.trust_git_config);
    arguments.flag("--offline", options.offline, "go by the ledger as it was last fetched");
}

void Asked::add(const Farm& farm, const Package& package) {
    packages.insert(package.name);
    beyond_first_epoch = beyond_first_epoch || epoch(farm, package) > 1;
}

Recorded read_recorded(Ledger& ledger, const ExistingOptions& options, Listener& listener) {
    if (ledger.has_remote() && !options.offline) {
        ledger.fetch();
    }
    Recorded recorded;
    if (!ledger.tip()) {
        listener.say({{"no-ledger",
                       Severity::warning,
                       {},
                       fmt::format("there is no ledger: no branch {}", ledger.name()),
                       "every wheel counts as of epoch 1 and with an unknown list; name it with --branch and --remote "
                       "if there is one"}});
        return recorded;
    }
    ledger.each([&](const Entry& entry) { recorded.add(recorded_wheel(entry)); });
    return recorded;
}

AssetList existing_assets(const ExistingOptions& options, const std::set<std::string>& packages) {
    if (!options.existing.empty()) {
        return inside("--existing " + input_name(options.existing), [&] {
            const std::string text = read_text(options.existing, kMostText);
            if (text.empty() && options.existing == "-") {
                throw unchecked("it is empty, as it is when the program before it in the pipe has failed",
                                "if nothing exists, give an empty file");
            }
            return parse_assets(text);
        });
    }
    return ask_gh(release_place(options.repository, options.trust_git_config), {packages.begin(), packages.end()});
}

ExistsCheck exists_check(const std::string& farm, const ExistingOptions& options, const Asked& asked,
                         Listener& listener) {
    const AssetList assets = existing_assets(options, asked.packages);
    listener.say(unfinished_uploads(assets.unfinished));
    // At the first epoch every wheel is current, whatever the ledger says; and without a wheel nothing is.
    Recorded recorded;
    if (asked.beyond_first_epoch && !assets.names.empty()) {
        Ledger ledger = open_ledger(farm, options.branch, options.remote, options.trust_git_config);
        recorded = read_recorded(ledger, options, listener);
    }
    return {assets, recorded};
}

}  // namespace wheelarch
