#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/grid_rows.hpp"
#include "cli/inputs.hpp"
#include "cli/lint_run.hpp"
#include "plan/selection.hpp"
#include "report/json.hpp"
#include "report/lint.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct MatrixOptions {
    Outputs outputs;
    GridOptions grid;
    std::string from;  // a file, `-` for standard input; empty: the grid of the farm
    ExistingOptions existing;
    bool all = false;   // whether or not the wheel exists
    bool lint = false;  // the packages of the rows, first
    SourceOptions sources;
};

void declare(Arguments& arguments, MatrixOptions& options) {
    arguments.text("--from", options.from, "FILE", "filter this matrix; - is standard input; default: the farm's grid");
    arguments.flag("--all", options.all, "all cells, whether or not their wheel exists");
    arguments.flag("--lint", options.lint,
                   "first lint the packages that are in the matrix: on an error there is none, and the exit code is 1");
    add_sources(arguments, options.sources);
    for (const char* option : {"--sources", "--fetch", "--cache", "--everything"}) {
        arguments.needs(option, "--lint");
    }
    add_grid(arguments, options.grid, options.outputs);
    add_existing(arguments, options.existing, "ask gh");
}

void from_action(ActionLine& line) {
    line.option("existing");
    line.option("ledger-branch", "branch");
    line.option("page");
    line.matrix_output();
    line.lint();
}

std::vector<Cell> cells_of(const Matrix& matrix) {
    std::vector<Cell> cells;
    for (const MatrixRow& row : matrix.rows) {
        cells.push_back(row.cell());
    }
    return cells;
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
bool lint_hits(const Farm& farm, const std::vector<MatrixRow>& rows, const MatrixOptions& options, Listener& listener,
               json::object& result) {
    const std::vector<GridRow> grid = grid_rows(farm, rows);
    std::vector<const Package*> packages;
    for (const GridRow& row : grid) {
        if (std::find(packages.begin(), packages.end(), row.package) == packages.end()) {
            packages.push_back(row.package);
        }
    }
    const std::vector<PackageLint> results =
        lint_packages(farm, grid, packages, options.sources, LintScope::rows, listener);
    const std::vector<Located> findings = lint_findings(results);
    listener.remark(lint_text(results));
    listener.annotate(findings);
    listener.summary(lint_summary(results));
    result["lint"] = lint_json(results);
    return lint_fails(findings);
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

// What is asked about, before anybody looks at what exists.
struct AskedRows {
    std::vector<GridRow> grid;  // the farm's own; the matrix may point into it
    Matrix whole;
};

void ask(AskedRows& asked, const Farm& farm, const MatrixOptions& options, Listener& listener) {
    if (options.from.empty()) {
        asked.grid = make_grid(farm, read_versions(farm, options.grid.versions));
        const CellFilter filter(options.grid.filters, cells_of(asked.grid));
        std::erase_if(asked.grid, [&](const GridRow& row) { return !filter.takes(row.cell); });
        check_lists(farm, asked.grid, listener);
        asked.whole = to_matrix(farm, pointers(asked.grid));
        return;
    }
    asked.whole =
        inside("--from " + input_name(options.from), [&] { return parse_matrix(read_text(options.from, kMostText)); });
    const CellFilter filter(options.grid.filters, cells_of(asked.whole));
    std::erase_if(asked.whole.rows, [&](const MatrixRow& row) { return !filter.takes(row.cell()); });
    asked.grid = own_grid(farm, options, asked.whole);
}

Selected select(AskedRows& asked, const Farm& farm, const MatrixOptions& options, Listener& listener) {
    if (options.all || (asked.whole.rows.empty() && asked.grid.empty())) {
        return select_rows(asked.whole, farm, nullptr);
    }
    std::set<std::string> packages = packages_of(asked.grid);
    for (const MatrixRow& row : asked.whole.rows) {
        packages.insert(row.package->name);
    }
    const KnownWheels wheels = known_wheels(farm, options.existing, packages, listener);
    WheelJudge judge(farm, wheels.recorded, &wheels.assets, standing_options(options.existing));
    if (!options.from.empty()) {
        listener.say(missing_rows(asked.whole, asked.grid, judge));
    }
    Selected selected = select_rows(asked.whole, farm, &judge);
    listener.say(replaced_warning(selected.replaced));
    return selected;
}

Outcome matrix(const MatrixOptions& options, Listener& listener) {
    refuse_two_readers(
        {{"--from", options.from}, {"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    if (options.grid.output.empty()) {
        listener.reserve_for_data();
    }
    const Farm farm = read_farm(options.grid.farm);
    listener.say(policy_findings(farm));
    AskedRows asked;
    ask(asked, farm, options, listener);
    const Matrix& whole = asked.whole;
    const std::size_t all = whole.rows.size();
    complete_rows(asked.whole, farm);
    const Selected selected = select(asked, farm, options, listener);
    Outcome outcome;
    json::object& result = outcome.result.emplace<json::object>();
    result["schema"] = kSchema;
    result["existing"] = selected.existing;
    result["one_file"] = selected.shared;
    if (options.lint && !whole.rows.empty() && lint_hits(farm, whole.rows, options, listener, result)) {
        result["matrix"] = nullptr;
        outcome.outputs["verdict"] = "hit";
        outcome.code = ExitCode::findings;
        return outcome;
    }
    put_matrix(whole, options.grid, true, listener, outcome);
    outcome.summary.head = fmt::format("### Matrix\n\n{} of {} rows are to be built; {} in this page\n\n",
                                       whole.rows.size(), all, outcome.outputs["jobs"]);
    return outcome;
}

}  // namespace

Command matrix_command() {
    return {.name = "matrix",
            .help = "The workflow's matrix without the cells whose wheel exists at the current epoch",
            .example = "wheelarch matrix --existing assets.json --package flash_attn --output matrix.json",
            .bind = bind(declare, matrix),
            .from_action = from_action};
}

}  // namespace wheelarch
