#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/grid_rows.hpp"
#include "cli/inputs.hpp"
#include "cli/lint_run.hpp"
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
        cells.push_back(row.cell);
    }
    return cells;
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

// What is asked about, before anybody looks at what exists.
Matrix asked_rows(const Farm& farm, const MatrixOptions& options, Listener& listener) {
    if (options.from.empty()) {
        const std::vector<GridRow> grid = make_grid(farm, read_versions(farm, options.grid.versions));
        const std::vector<GridRow> rows = taken(grid, CellFilter(options.grid.filters, cells_of(grid)));
        check_lists(farm, rows, listener);
        return to_matrix(matrix_json(farm, rows));
    }
    Matrix whole =
        inside("--from " + input_name(options.from), [&] { return parse_matrix(read_text(options.from, kMostText)); });
    const CellFilter filter(options.grid.filters, cells_of(whole));
    std::erase_if(whole.rows, [&](const MatrixRow& row) { return !filter.takes(row.cell); });
    return whole;
}

Matrix rows_to_build(Matrix whole, const Farm& farm, const MatrixOptions& options, Listener& listener) {
    Asked asked;
    for (const MatrixRow& row : whole.rows) {
        inside(to_text(row.cell), [&] { asked.add(farm, find_package(farm, row.cell.package)); });
    }
    if (options.all || whole.rows.empty()) {
        return select_rows(std::move(whole), farm, nullptr);
    }
    const ExistsCheck exists = exists_check(options.grid.farm, options.existing, asked, listener);
    return select_rows(std::move(whole), farm, &exists);
}

Outcome matrix(const MatrixOptions& options, Listener& listener) {
    refuse_two_readers(
        {{"--from", options.from}, {"--versions", options.grid.versions}, {"--existing", options.existing.existing}});
    if (options.grid.output.empty()) {
        listener.reserve_for_data();
    }
    const Farm farm = read_farm(options.grid.farm);
    listener.say(policy_findings(farm));
    Matrix whole = asked_rows(farm, options, listener);
    const std::size_t all = whole.rows.size();
    whole = rows_to_build(std::move(whole), farm, options, listener);
    Outcome outcome;
    json::object& result = outcome.result.emplace<json::object>();
    result["schema"] = kSchema;
    result["existing"] = all - whole.rows.size();
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
