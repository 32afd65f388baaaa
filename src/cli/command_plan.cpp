#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/grid_rows.hpp"
#include "cli/inputs.hpp"
#include "ledger/ledger.hpp"
#include "plan/matrix.hpp"
#include "plan/one_job.hpp"
#include "plan/plan.hpp"
#include "plan/policy_at.hpp"
#include "plan/policy_change.hpp"
#include "plan/selection.hpp"
#include "report/explain.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
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
    std::string base;     // a commit, or empty
    std::string explain;  // a key or a wheel's name, or empty
};

void declare(Arguments& arguments, PlanCommandOptions& options) {
    arguments.flag("--changed-only", options.changed_only,
                   "of what is behind the epoch, rebuild only what gets another arch list; the ledger is told that "
                   "the rest is valid for the current epoch");
    arguments.flag("--dry-run", options.dry_run, "with --changed-only: leave the ledger as it is");
    arguments.flag("--check", options.check,
                   "exit 1 if an arch list has changed without a new epoch, or an asset is not the recorded file");
    arguments.text("--base", options.base, "REF",
                   "compare the policy with that of this commit, without a ledger: what moved, what was forgotten, how "
                   "many jobs it costs");
    arguments.output(options.outputs, markdown_format(), "write the same as Markdown, for a comment");
    arguments.text("--explain", options.explain, "CELL",
                   "why this cell is rebuilt or not: its key, or the file name of its wheel");
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
    std::map<std::string, Epochs> epochs;  // by wheel
    for (const PlannedCell& cell : planned) {
        if (cell.standing.carry) {
            epochs[cell.standing.wheel] = cell.today;
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
    const Appended appended = ledger.append(std::move(entries), {.all_or_none = true});
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
    return existing_assets(options.existing, packages_of(rows));
}

// The matrix of what is to be rebuilt, one job for each file.
Matrix rebuild_matrix(const Farm& farm, const std::vector<GridRow>& grid, const std::vector<PlannedCell>& planned) {
    std::vector<JobCell> cells;
    std::vector<const PlannedCell*> rebuilt;
    for (const PlannedCell& cell : planned) {
        if (cell.standing.rebuild) {
            rebuilt.push_back(&cell);
            cells.push_back(
                {cell.row->package, &cell.row->cell, cell.row->arch_list, cell.row->source_tag, cell.standing.wheel});
        }
    }
    const std::vector<Job> jobs = jobs_of(cells);
    std::vector<const GridRow*> rows;
    std::unordered_map<const Cell*, std::size_t> leaders;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        for (std::size_t row = 0; jobs[i].leader == i && row < rebuilt[i]->rows; ++row) {
            rows.push_back(&grid[rebuilt[i]->first_row + row]);
            leaders[&rows.back()->cell] = i;
        }
    }
    Matrix matrix = to_matrix(farm, rows);
    complete_rows(matrix, farm);
    for (MatrixRow& row : matrix.rows) {
        row.serves = jobs[leaders.at(&row.cell())].serves;
    }
    return matrix;
}

Outcome compare_with_base(const Farm& farm, const PlanCommandOptions& options, Listener& listener) {
    const PolicyAt base = policy_at(options.grid.farm, options.base);
    const PolicyChange change = compare_policies(base.farm, farm, read_versions(farm, options.grid.versions));
    const std::string name = fmt::format("{} ({})", printable(options.base), base.commit.substr(0, 12));
    Outcome outcome;
    outcome.text = to_text(change, name);
    outcome.result = change_json(change, base.commit);
    outcome.summary.head = to_markdown(change, name);
    outcome.summary.gap = "\n";
    outcome.outputs["jobs"] = fmt::format("{}", change.jobs);
    if (options.check && !change.findings.empty()) {
        listener.say(change.findings);
        outcome.outputs["verdict"] = "drifted";
        outcome.code = ExitCode::findings;
    }
    return outcome;
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

// A plan, and all that its cells point into.
struct Plan {
    Farm farm;
    std::vector<GridRow> grid;
    Recorded recorded;
    std::optional<AssetList> assets;
    std::vector<PlannedCell> cells;
};

void make_cells(Plan& plan, const PlanCommandOptions& options, const CellFilter& filter) {
    StandingOptions how = standing_options(options.existing);
    how.changed_only = options.changed_only;
    WheelJudge judge(plan.farm, plan.recorded, plan.assets ? &*plan.assets : nullptr, how);
    std::function<bool(const Cell&)> takes;
    if (!filter.takes_all()) {
        takes = [&](const Cell& cell) { return filter.takes(cell); };
    }
    plan.cells = make_plan(judge, plan.grid, takes);
}

// What is wrong, said; and what --check makes of it.
void check_plan(const Plan& plan, const PlanTotals& totals, const PlanCommandOptions& options, Listener& listener,
                Outcome& outcome) {
    const std::vector<Finding> findings = drift_findings(plan.cells);
    if (options.check && totals.blind > 0) {
        listener.say({{"check-blind",
                       Severity::warning,
                       {},
                       fmt::format("the list of {} is not known, so that a change of it cannot be seen",
                                   count_of(totals.blind, "current wheel")),
                       "compare with the policy of a commit instead: plan --check --base REF"}});
    }
    if (options.check && !findings.empty()) {
        listener.say(findings);
        outcome.outputs["verdict"] = "drifted";
        outcome.code = ExitCode::findings;
    } else {
        listener.say(replaced_warning(totals.replaced));
    }
}

Outcome plan(const PlanCommandOptions& options, Listener& listener) {
    refuse_two_readers({{"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    const auto plan = std::make_shared<Plan>();
    plan->farm = read_farm(options.grid.farm);
    listener.say(policy_findings(plan->farm));
    if (!options.base.empty()) {
        return compare_with_base(plan->farm, options, listener);
    }
    plan->grid = make_grid(plan->farm, read_versions(plan->farm, options.grid.versions));
    const CellFilter filter(options.grid.filters, cells_of(plan->grid));
    const std::vector<GridRow> asked = taken(plan->grid, filter);
    check_lists(plan->farm, asked, listener);
    Ledger ledger = open_ledger(options.grid.farm, options.existing.branch, options.existing.remote,
                                options.existing.trust_git_config);
    plan->recorded = read_recorded(ledger, plan->farm, options.existing, listener);
    plan->assets = asked_assets(options, asked);
    if (plan->assets) {
        listener.say(unfinished_uploads(plan->assets->unfinished));
    }
    require_ledger(options, ledger, plan->assets.has_value());
    make_cells(*plan, options, filter);
    const PlanTotals totals =
        plan_totals(plan->farm, plan->cells, plan->recorded, filter.takes_all(), plan->assets.has_value());
    listener.text(plan_text(totals));
    Outcome outcome;
    outcome.summary.head = plan_summary(totals);
    json::object& result = outcome.result.emplace<json::object>(plan_json(totals));
    if (!options.explain.empty()) {
        std::string text;
        result["explain"] = explain(plan->farm, plan->cells, options.explain, plan->assets.has_value(), text);
        listener.text(text);
    }
    if (options.changed_only && !options.dry_run) {  // before a matrix is there that relies on it
        result["carried"] = carry_forward(ledger, plan->cells, listener);
    }
    put_matrix(rebuild_matrix(plan->farm, plan->grid, plan->cells), options.grid, false, listener, outcome);
    check_plan(*plan, totals, options, listener, outcome);
    outcome.result =
        JsonWriter([plan, head = std::move(result)](std::ostream& out) { write_plan_json(out, head, plan->cells); });
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
