#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/grid_rows.hpp"
#include "cli/inputs.hpp"
#include "ledger/ledger.hpp"
#include "plan/plan.hpp"
#include "report/plan.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct PlanCommandOptions {
    Outputs outputs;
    GridOptions grid;
    ExistingOptions existing;
    bool ask_gh = false;
    bool changed_only = false;
    bool dry_run = false;
    bool check = false;
};

void declare(Arguments& arguments, PlanCommandOptions& options) {
    arguments.flag("--changed-only", options.changed_only,
                   "of what is behind the epoch, rebuild only what gets another arch list; the ledger is told that "
                   "the rest is valid for the current epoch");
    arguments.flag("--dry-run", options.dry_run, "with --changed-only: leave the ledger as it is");
    arguments.flag("--check", options.check, "exit 1 if an arch list has changed without a new epoch");
    arguments.flag("--gh", options.ask_gh, "ask gh for published wheels that are not recorded");
    add_grid(arguments, options.grid, options.outputs);
    add_existing(arguments, options.existing, "only what is recorded");
}

void from_action(ActionLine& line) {
    line.option("existing");
    line.option("ledger-branch", "branch");
    line.option("page");
    line.matrix_output();
}

// Marks the records of the wheels that stay as they are as valid for the current epoch, in one commit.
json::value carry_forward(Ledger& ledger, const std::vector<PlannedCell>& planned, Listener& listener) {
    std::map<std::string, std::uint64_t> epochs;  // by wheel
    for (const PlannedCell& cell : planned) {
        if (cell.carry) {
            epochs[cell.wheel] = cell.current_epoch;
        }
    }
    if (epochs.empty()) {
        return nullptr;
    }
    std::vector<Entry> entries;
    ledger.each([&](const Entry& entry) {
        if (const auto found = epochs.find(entry.file_name); found != epochs.end()) {
            entries.push_back(carried(entry, found->second));
        }
    });
    const Appended appended = ledger.append(std::move(entries), {});
    if (!appended.refused.empty()) {
        std::vector<Finding> findings = appended.refused;
        for (Finding& finding : findings) {
            finding.fix.clear();  // nothing is to be recorded here
        }
        listener.say(findings);
        throw unchecked("nothing was carried forward: the ledger has changed since the plan was made",
                        "run the plan again");
    }
    listener.remark(fmt::format("carried {} forward in {}, commit {}\n", count_of(appended.carried, "wheel"),
                                ledger.name(), appended.commit));
    return {{"wheels", appended.carried}, {"commit", appended.commit}};
}

// The assets of the packages in question, if they are asked about.
std::optional<AssetList> asked_assets(const PlanCommandOptions& options, const std::vector<GridRow>& rows) {
    if (!options.ask_gh && options.existing.existing.empty()) {
        return std::nullopt;
    }
    std::set<std::string> packages;
    for (const GridRow& row : rows) {
        packages.insert(row.cell.package);
    }
    return existing_assets(options.existing, packages);
}

// The matrix of what is to be rebuilt.
Matrix rebuild_matrix(const Farm& farm, const std::vector<GridRow>& grid, const std::vector<PlannedCell>& planned) {
    std::vector<GridRow> rows;
    for (const PlannedCell& cell : planned) {
        for (const std::size_t row : cell.rebuild ? cell.rows : std::vector<std::size_t>()) {
            rows.push_back(grid[row]);
        }
    }
    return select_rows(to_matrix(matrix_json(farm, rows)), farm, nullptr);
}

// A check by a ledger that is not there would pass everything.
void require_ledger(const PlanCommandOptions& options, const Ledger& ledger, bool knows_assets) {
    if ((options.check || (options.changed_only && !knows_assets)) && !ledger.tip()) {
        throw unchecked(
            fmt::format("there is no ledger to go by: no branch {}", ledger.name()),
            "name it with --branch and --remote; a farm that has recorded nothing yet has nothing that could "
            "drift or be carried, so leave --check and --changed-only out");
    }
}

Outcome plan(const PlanCommandOptions& options, Listener& listener) {
    refuse_two_readers({{"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.grid.farm);
    listener.say(policy_findings(farm));
    const std::vector<GridRow> grid = make_grid(farm, read_versions(farm, options.grid.versions));
    const CellFilter filter(options.grid.filters, cells_of(grid));
    const std::vector<GridRow> asked = taken(grid, filter);
    check_lists(farm, asked, listener);
    Ledger ledger = open_ledger(options.grid.farm, options.existing.branch, options.existing.remote,
                                options.existing.trust_git_config);
    const Recorded recorded = read_recorded(ledger, options.existing, listener);
    const std::optional<AssetList> assets = asked_assets(options, asked);
    if (assets) {
        listener.say(unfinished_uploads(assets->unfinished));
    }
    require_ledger(options, ledger, assets.has_value());
    PlanOptions how;
    how.changed_only = options.changed_only;
    if (!options.grid.filters.empty()) {
        how.takes = [&](const Cell& cell) { return filter.takes(cell); };
    }
    const std::vector<PlannedCell> planned = make_plan(farm, grid, recorded, assets ? &*assets : nullptr, how);
    listener.text(plan_text(planned));
    listener.summary(plan_summary(planned));
    Outcome outcome;
    json::object& result = outcome.result.emplace<json::object>(plan_json(planned));
    if (options.changed_only && !options.dry_run) {  // before a matrix is there that relies on it
        result["carried"] = carry_forward(ledger, planned, listener);
    }
    put_matrix(rebuild_matrix(farm, grid, planned), options.grid, false, listener, outcome);
    const std::vector<Finding> drifted = drift_findings(planned);
    if (options.check && !drifted.empty()) {
        listener.say(drifted);
        outcome.outputs["verdict"] = "drifted";
        outcome.code = ExitCode::findings;
    }
    return outcome;
}

}  // namespace

Command plan_command() {
    return {.name = "plan",
            .help = "After a change of the policy: what to rebuild, and what drifted",
            .example = "wheelarch plan --check",
            .bind = bind(declare, plan),
            .from_action = from_action};
}

}  // namespace wheelarch
