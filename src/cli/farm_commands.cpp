#include "cli/farm_commands.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <boost/json/parse.hpp>

#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/deliver.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "cli/lint_run.hpp"
#include "ledger/ledger.hpp"
#include "plan/matrix.hpp"
#include "plan/one_job.hpp"
#include "plan/plan.hpp"
#include "plan/policy_at.hpp"
#include "plan/policy_change.hpp"
#include "plan/selection.hpp"
#include "policy/key.hpp"
#include "report/explain.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/lint.hpp"
#include "report/plan.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

// By the names that the farm has for its packages.
SourceVersions read_versions(const Farm& farm, const std::string& path) {
    if (path.empty()) {
        return {};
    }
    return inside("--versions " + input_name(path), [&] {
        boost::system::error_code failure;
        const json::value value = json::parse(read_text(path, kMostText), failure);
        if (failure || !value.is_object()) {
            throw bad_usage("it is no JSON object of package to version", "for example {\"flash_attn\": \"2.8.3\"}");
        }
        SourceVersions versions;
        for (const json::key_value_pair& pair : value.as_object()) {
            if (!pair.value().is_string()) {
                throw bad_usage(fmt::format("the version of '{}' is no text", printable(pair.key())), "quote it");
            }
            versions[find_package(farm, pair.key()).name] = pair.value().as_string();
        }
        return versions;
    });
}

// What nvcc cannot build is refused before a job starts; what torch would stumble over is said.
void check_lists(const Farm& farm, const std::vector<GridRow>& rows, Streams streams) {
    const std::vector<Finding> findings = unbuildable(farm, rows);
    say(findings, streams);
    if (fails(findings)) {
        throw bad_usage("the policy has arch lists that cannot be built", "correct them; each is named above");
    }
    say(list_warnings(farm, rows), streams);
}

std::vector<Cell> cells_of(const std::vector<GridRow>& grid) {
    std::vector<Cell> cells;
    for (const GridRow& row : grid) {
        cells.push_back(row.cell);
    }
    return cells;
}

std::vector<Cell> cells_of(const Matrix& matrix) {
    std::vector<Cell> cells;
    for (const MatrixRow& row : matrix.rows) {
        cells.push_back(row.cell());
    }
    return cells;
}

// Marks the records of the wheels that stay as they are as valid for the current epoch, in one commit.
json::value carry_forward(Ledger& ledger, const std::vector<PlannedCell>& planned, Streams streams, bool quiet) {
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
        say(findings, streams);
        throw unchecked("nothing was carried forward: the ledger has changed since the plan was made",
                        "run the plan again");
    }
    (quiet ? streams.err : streams.out) << fmt::format(
        "carried {} forward in {}, commit {}\n", count_of(appended.carried, "wheel"), ledger.name(), appended.commit);
    return {{"wheels", appended.carried}, {"commit", appended.commit}};
}

std::vector<GridRow> taken(const std::vector<GridRow>& grid, const CellFilter& filter) {
    std::vector<GridRow> rows;
    std::copy_if(grid.begin(), grid.end(), std::back_inserter(rows),
                 [&](const GridRow& row) { return filter.takes(row.cell); });
    return rows;
}

std::set<std::string> packages_of(const std::vector<GridRow>& rows) {
    std::set<std::string> packages;
    for (const GridRow& row : rows) {
        packages.insert(row.cell.package);
    }
    return packages;
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

// Rows of a matrix that need not be the farm's own.
std::vector<GridRow> grid_rows(const Farm& farm, const std::vector<MatrixRow>& rows) {
    std::vector<GridRow> result;
    for (const MatrixRow& row : rows) {
        const Package& package = find_package(farm, row.cell().package);
        GridRow& made = result.emplace_back();
        made.cell = row.cell();
        made.package = &package;
        made.source_tag = row.source_tag().empty() ? package.source_tag : row.source_tag();
    }
    return result;
}

// Is there an error in the sources of what is to be built? What is built already is not looked at again.
bool lint_hits(const Farm& farm, const std::vector<MatrixRow>& rows, const MatrixOptions& options, Streams streams,
               json::object& result) {
    const std::vector<GridRow> grid = grid_rows(farm, rows);
    std::vector<const Package*> packages;
    for (const GridRow& row : grid) {
        if (std::find(packages.begin(), packages.end(), row.package) == packages.end()) {
            packages.push_back(row.package);
        }
    }
    const std::vector<PackageLint> results =
        lint_packages(farm, grid, packages, options.sources, LintScope::rows, streams);
    const bool matrix_out = options.grid.output.empty() || options.grid.json == "-";
    print_lint(matrix_out ? streams.err : streams.out, results);
    result["lint"] = lint_json(results);
    return report_lint(results, streams);
}

std::vector<const GridRow*> pointers(const std::vector<GridRow>& rows) {
    std::vector<const GridRow*> all;
    for (const GridRow& row : rows) {
        all.push_back(&row);
    }
    return all;
}

// The farm's own grid beside a matrix that another made of it; empty if this program cannot make it, or has no cell
// that is asked for.
std::vector<GridRow> own_grid(const Farm& farm, const MatrixOptions& options, const Matrix& other) {
    if (options.all) {
        return {};
    }
    const SourceVersions versions = read_versions(farm, options.grid.versions);
    try {
        std::vector<GridRow> grid = make_grid(farm, versions);
        const CellFilter filter(options.grid.filters, cells_of(grid));
        std::erase_if(grid, [&](const GridRow& row) { return !filter.takes(row.cell); });
        if (options.existing.existing.empty()) {  // gh is asked for what the matrix is about, and no more
            std::set<std::string> packages;
            for (const MatrixRow& row : other.rows) {
                packages.insert(row.cell().package);
            }
            std::erase_if(grid, [&](const GridRow& row) { return !packages.contains(row.cell.package); });
        }
        return grid;
    } catch (const Error&) {
        return {};
    }
}

void refuse_two_readers(const std::vector<std::pair<std::string, std::string>>& options) {
    std::string first;
    for (const auto& [option, path] : options) {
        if (path == "-" && !first.empty()) {
            throw bad_usage(fmt::format("{} and {} cannot both read standard input", first, option),
                            "give one of them a file");
        }
        first = path == "-" ? option : first;
    }
}

ExitCode compare_with_base(const Farm& farm, const PlanCommandOptions& options, Streams streams, Totals& totals) {
    const PolicyAt base = policy_at(options.grid.farm, options.base);
    const PolicyChange change = compare_policies(base.farm, farm, read_versions(farm, options.grid.versions));
    const std::string name = fmt::format("{} ({})", printable(options.base), base.commit.substr(0, 12));
    if (options.grid.json != "-") {
        streams.out << to_text(change, name);
    }
    const std::string comment = to_markdown(change, name);
    if (!options.markdown.empty()) {
        write_file(options.markdown, comment);
    }
    if (on_github()) {
        add_to_summary(comment + '\n');
    }
    if (!options.grid.json.empty()) {
        write_json(options.grid.json, change_json(change, base.commit));
    }
    totals.jobs = change.jobs;
    if (!options.check || change.findings.empty()) {
        return ExitCode::ok;
    }
    say(change.findings, streams);
    totals.verdict = "drifted";
    return ExitCode::findings;
}

}  // namespace

ExitCode key(const KeyOptions& options, Streams streams, Totals& totals) {
    refuse_two_readers({{"--cell", options.cell}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.farm);
    std::string source_tag;
    const Cell cell = inside("--cell " + input_name(options.cell), [&] {
        boost::system::error_code failure;
        const json::value row = json::parse(read_text(options.cell, kMostText), failure);
        if (failure || !row.is_object()) {
            throw bad_usage("it is no JSON object", "give one row of the workflow's matrix as it is");
        }
        const json::value* tag = row.as_object().if_contains("source_tag");
        source_tag = tag != nullptr && tag->is_string() ? std::string(tag->get_string()) : "";
        return parse_cell(row.as_object());
    });
    const Package& package = find_package(farm, cell.package);
    const ExistsKey exists = exists_key(farm, package, cell);
    std::optional<Standing> standing;
    KnownWheels wheels;  // the standing points into it
    if (!options.key_only) {
        wheels = known_wheels(farm, options.existing, {package.name}, streams);
        WheelJudge judge(farm, wheels.recorded, &wheels.assets, standing_options(options.existing));
        standing = judge.judge(package, cell, source_tag, "");
        if (standing->state == CellState::replaced && !standing->young && !standing->rebuild) {
            say(replaced_warning({standing->wheel}), streams);
        }
        totals.exists = standing->exists() ? "true" : "false";
    }
    totals.exists_key = exists.text;
    const Epochs today = epochs(farm, package);
    if (!options.json.empty()) {
        write_json(options.json, key_json(exists, standing ? &*standing : nullptr, today));
    }
    if (options.json != "-") {
        print_key(streams.out, exists, standing ? &*standing : nullptr, today, source_tag);
    }
    return ExitCode::ok;
}

ExitCode matrix(const MatrixOptions& options, Streams streams, Totals& totals) {
    refuse_two_readers(
        {{"--from", options.from}, {"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.grid.farm);
    say(policy_findings(farm), streams);
    Matrix whole;
    std::vector<GridRow> grid;
    std::optional<CellFilter> filter;
    if (options.from.empty()) {
        grid = make_grid(farm, read_versions(farm, options.grid.versions));
        filter.emplace(options.grid.filters, cells_of(grid));
        std::erase_if(grid, [&](const GridRow& row) { return !filter->takes(row.cell); });
        check_lists(farm, grid, streams);
        whole = to_matrix(farm, pointers(grid));
    } else {
        whole = inside("--from " + input_name(options.from),
                       [&] { return parse_matrix(read_text(options.from, kMostText)); });
        filter.emplace(options.grid.filters, cells_of(whole));
        std::erase_if(whole.rows, [&](const MatrixRow& row) { return !filter->takes(row.cell()); });
        grid = own_grid(farm, options, whole);
    }
    const std::size_t all = whole.rows.size();
    complete_rows(whole, farm);
    Selected selected;
    if (options.all || (whole.rows.empty() && grid.empty())) {
        selected = select_rows(whole, farm, nullptr);
    } else {
        std::set<std::string> packages = packages_of(grid);
        for (const MatrixRow& row : whole.rows) {
            packages.insert(row.package->name);
        }
        const KnownWheels wheels = known_wheels(farm, options.existing, packages, streams);
        WheelJudge judge(farm, wheels.recorded, &wheels.assets, standing_options(options.existing));
        if (!options.from.empty()) {
            say(missing_rows(whole, grid, judge), streams);
        }
        selected = select_rows(whole, farm, &judge);
        say(replaced_warning(selected.replaced), streams);
    }
    json::object result = {{"schema", kSchema}, {"existing", selected.existing}, {"one_file", selected.shared}};
    if (options.lint && !whole.rows.empty() && lint_hits(farm, whole.rows, options, streams, result)) {
        result["matrix"] = nullptr;
        if (!options.grid.json.empty()) {
            write_json(options.grid.json, result);
        }
        totals.verdict = "hit";
        return ExitCode::findings;
    }
    for (json::key_value_pair& pair : deliver(whole, options.grid, true, streams, totals)) {
        result[pair.key()] = std::move(pair.value());
    }
    if (on_github()) {
        add_to_summary(fmt::format("### Matrix\n\n{} of {} rows are to be built; {} in this page\n\n",
                                   whole.rows.size(), all, *totals.jobs));
    }
    if (!options.grid.json.empty()) {
        result["matrix"] = json::parse(totals.matrix);
        write_json(options.grid.json, result);
    }
    return ExitCode::ok;
}

ExitCode plan(const PlanCommandOptions& options, Streams streams, Totals& totals) {
    refuse_two_readers({{"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.grid.farm);
    say(policy_findings(farm), streams);
    if (!options.base.empty()) {
        return compare_with_base(farm, options, streams, totals);
    }
    const std::vector<GridRow> grid = make_grid(farm, read_versions(farm, options.grid.versions));
    const CellFilter filter(options.grid.filters, cells_of(grid));
    const std::vector<GridRow> asked = taken(grid, filter);
    check_lists(farm, asked, streams);
    Ledger ledger = open_ledger(options.grid.farm, options.existing.branch, options.existing.remote,
                                options.existing.trust_git_config);
    const Recorded recorded = read_recorded(ledger, farm, options.existing, streams);
    const std::optional<AssetList> assets = asked_assets(options, asked);
    if (assets) {
        say(unfinished_uploads(assets->unfinished), streams);
    }
    if ((options.check || (options.changed_only && !assets)) && !ledger.tip()) {
        throw unchecked(
            fmt::format("there is no ledger to go by: no branch {}", ledger.name()),
            "name it with --branch and --remote; a farm that has recorded nothing yet has nothing that could "
            "drift or be carried, so leave --check and --changed-only out");
    }
    StandingOptions how = standing_options(options.existing);
    how.changed_only = options.changed_only;
    WheelJudge judge(farm, recorded, assets ? &*assets : nullptr, how);
    std::function<bool(const Cell&)> takes;
    if (!filter.takes_all()) {
        takes = [&](const Cell& cell) { return filter.takes(cell); };
    }
    const std::vector<PlannedCell> planned = make_plan(judge, grid, takes);
    const PlanTotals planned_totals = plan_totals(farm, planned, recorded, !takes, assets.has_value());
    const bool quiet = options.grid.json == "-";
    if (!quiet) {
        print_plan(streams.out, planned_totals);
    }
    if (on_github()) {
        add_to_summary(plan_summary(planned_totals));
    }
    if (!options.markdown.empty()) {
        write_file(options.markdown, plan_summary(planned_totals));
    }
    json::object result = plan_json(planned_totals);
    if (!options.explain.empty()) {
        result["explain"] = explain(farm, planned, options.explain, assets.has_value(), quiet ? nullptr : &streams.out);
    }
    if (options.changed_only && !options.dry_run) {  // before a matrix is there that relies on it
        result["carried"] = carry_forward(ledger, planned, streams, quiet);
    }
    const Matrix whole = rebuild_matrix(farm, grid, planned);
    for (json::key_value_pair& pair : deliver(whole, options.grid, false, streams, totals)) {
        result[pair.key()] = std::move(pair.value());
    }
    if (!options.grid.json.empty()) {
        result["matrix"] = json::parse(totals.matrix);
        write_plan_json(options.grid.json, result, planned);
    }
    std::vector<Finding> findings = drift_findings(planned);
    if (options.check && planned_totals.blind > 0) {
        say({{"check-blind",
              Severity::warning,
              {},
              fmt::format("the list of {} is not known, so that a change of it cannot be seen",
                          count_of(planned_totals.blind, "current wheel")),
              "compare with the policy of a commit instead: plan --check --base REF"}},
            streams);
    }
    if (options.check && !findings.empty()) {
        say(findings, streams);
        totals.verdict = "drifted";
    } else {
        say(replaced_warning(planned_totals.replaced), streams);
    }
    return options.check && !findings.empty() ? ExitCode::findings : ExitCode::ok;
}

}  // namespace wheelarch
