#include "cli/farm_commands.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/json/parse.hpp>

#include "base/text.hpp"
#include "cli/deliver.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "cli/lint_run.hpp"
#include "ledger/ledger.hpp"
#include "plan/exists.hpp"
#include "plan/matrix.hpp"
#include "plan/plan.hpp"
#include "policy/key.hpp"
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

std::uint64_t current_epoch(const Farm& farm, const Package& package) {
    return static_cast<std::uint64_t>(epoch(farm, package));
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

// Adds what is ours to the rows of a matrix, and drops those whose wheel exists.
Matrix select_rows(Matrix matrix, const Farm& farm, const ExistsCheck* exists) {
    std::vector<MatrixRow> kept;
    for (MatrixRow& row : matrix.rows) {
        const Package& package =
            inside(to_text(row.cell), [&]() -> const Package& { return find_package(farm, row.cell.package); });
        if (exists != nullptr && exists->check(farm, package, row.cell).exists) {
            continue;
        }
        row.fields["build_epoch"] = current_epoch(farm, package);
        row.fields["exists_key"] = exists_key(farm, package, row.cell).text;
        kept.push_back(std::move(row));
    }
    matrix.rows = std::move(kept);
    return matrix;
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
        cells.push_back(row.cell);
    }
    return cells;
}

// Marks the records of the wheels that stay as they are as valid for the current epoch, in one commit.
json::value carry_forward(Ledger& ledger, const std::vector<PlannedCell>& planned, Streams streams, bool quiet) {
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

// Rows of a matrix that need not be the farm's own.
std::vector<GridRow> grid_rows(const Farm& farm, const std::vector<MatrixRow>& rows) {
    std::vector<GridRow> result;
    for (const MatrixRow& row : rows) {
        const Package& package = find_package(farm, row.cell.package);
        GridRow& made = result.emplace_back();
        made.cell = row.cell;
        made.package = &package;
        const json::value* tag = row.fields.if_contains("source_tag");
        made.source_tag = tag != nullptr && tag->is_string() ? std::string(tag->get_string()) : package.source_tag;
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

}  // namespace

ExitCode key(const KeyOptions& options, Streams streams, Totals& totals) {
    refuse_two_readers({{"--cell", options.cell}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.farm);
    const Cell cell = inside("--cell " + input_name(options.cell), [&] {
        boost::system::error_code failure;
        const json::value row = json::parse(read_text(options.cell, kMostText), failure);
        if (failure || !row.is_object()) {
            throw bad_usage("it is no JSON object", "give one row of the workflow's matrix as it is");
        }
        return parse_cell(row.as_object());
    });
    const Package& package = find_package(farm, cell.package);
    const ExistsKey exists = exists_key(farm, package, cell);
    Existing existing;
    if (!options.key_only) {
        Asked asked;
        asked.add(farm, package);
        existing = exists_check(options.farm, options.existing, asked, streams).check(farm, package, cell);
        totals.exists = existing.exists ? "true" : "false";
    }
    totals.exists_key = exists.text;
    const Existing* known = options.key_only ? nullptr : &existing;
    if (!options.json.empty()) {
        write_json(options.json, key_json(exists, known, current_epoch(farm, package)));
    }
    if (options.json != "-") {
        print_key(streams.out, exists, known, current_epoch(farm, package));
    }
    return ExitCode::ok;
}

ExitCode matrix(const MatrixOptions& options, Streams streams, Totals& totals) {
    refuse_two_readers(
        {{"--from", options.from}, {"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.grid.farm);
    say(policy_findings(farm), streams);
    Matrix whole;
    if (options.from.empty()) {
        const std::vector<GridRow> grid = make_grid(farm, read_versions(farm, options.grid.versions));
        const std::vector<GridRow> rows = taken(grid, CellFilter(options.grid.filters, cells_of(grid)));
        check_lists(farm, rows, streams);
        whole = to_matrix(matrix_json(farm, rows));
    } else {
        whole = inside("--from " + input_name(options.from),
                       [&] { return parse_matrix(read_text(options.from, kMostText)); });
        const CellFilter filter(options.grid.filters, cells_of(whole));
        std::erase_if(whole.rows, [&](const MatrixRow& row) { return !filter.takes(row.cell); });
    }
    const std::size_t all = whole.rows.size();
    Asked asked;
    for (const MatrixRow& row : whole.rows) {
        inside(to_text(row.cell), [&] { asked.add(farm, find_package(farm, row.cell.package)); });
    }
    if (options.all || whole.rows.empty()) {
        whole = select_rows(std::move(whole), farm, nullptr);
    } else {
        const ExistsCheck exists = exists_check(options.grid.farm, options.existing, asked, streams);
        whole = select_rows(std::move(whole), farm, &exists);
    }
    json::object result = {{"schema", kSchema}, {"existing", all - whole.rows.size()}};
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
    const std::vector<GridRow> grid = make_grid(farm, read_versions(farm, options.grid.versions));
    const CellFilter filter(options.grid.filters, cells_of(grid));
    const std::vector<GridRow> asked = taken(grid, filter);
    check_lists(farm, asked, streams);
    Ledger ledger = open_ledger(options.grid.farm, options.existing.branch, options.existing.remote,
                                options.existing.trust_git_config);
    const Recorded recorded = read_recorded(ledger, options.existing, streams);
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
    PlanOptions how;
    how.changed_only = options.changed_only;
    if (!options.grid.filters.empty()) {
        how.takes = [&](const Cell& cell) { return filter.takes(cell); };
    }
    const std::vector<PlannedCell> planned = make_plan(farm, grid, recorded, assets ? &*assets : nullptr, how);
    const bool quiet = options.grid.json == "-";
    if (!quiet) {
        print_plan(streams.out, planned);
    }
    if (on_github()) {
        add_to_summary(plan_summary(planned));
    }
    json::object result = plan_json(planned);
    if (options.changed_only && !options.dry_run) {  // before a matrix is there that relies on it
        result["carried"] = carry_forward(ledger, planned, streams, quiet);
    }
    const Matrix whole = rebuild_matrix(farm, grid, planned);
    for (json::key_value_pair& pair : deliver(whole, options.grid, false, streams, totals)) {
        result[pair.key()] = std::move(pair.value());
    }
    if (!options.grid.json.empty()) {
        result["matrix"] = json::parse(totals.matrix);
        write_json(options.grid.json, result);
    }
    const std::vector<Finding> drifted = drift_findings(planned);
    if (options.check && !drifted.empty()) {
        say(drifted, streams);
        totals.verdict = "drifted";
    }
    return options.check && !drifted.empty() ? ExitCode::findings : ExitCode::ok;
}

}  // namespace wheelarch
