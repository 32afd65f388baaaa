#include "cli/grid_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/parse.hpp>

#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/existing.hpp"
#include "cli/inputs.hpp"
#include "policy/key.hpp"
#include "report/json.hpp"
#include "report/plan.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

void add_filter(Arguments& arguments, const char* option, std::vector<std::string>& words, const char* type) {
    arguments.texts(option, words, type, "only these; several with commas, can be repeated");
}

// A page that is not there is a slip, except that of an empty matrix.
void check_page(std::size_t page, std::size_t pages) {
    if (page > std::max<std::size_t>(pages, 1)) {
        throw bad_usage(fmt::format("there is no page {}", page), fmt::format("the matrix has {} of them", pages));
    }
}

// `matrix.json` is `matrix.page1.json`.
std::string page_path(const std::string& output, std::size_t page) {
    const std::filesystem::path path(output);
    return (path.parent_path() / fmt::format("{}.page{}{}", path.stem().string(), page, path.extension().string()))
        .string();
}

// Those of an earlier run would be taken for this one's.
void remove_old_pages(const std::string& output, std::size_t pages) {
    std::error_code failure;
    for (std::size_t page = pages + 1; std::filesystem::remove(page_path(output, page), failure); ++page) {
    }
}

}  // namespace

void add_grid(Arguments& arguments, GridOptions& options, Outputs& outputs) {
    arguments.text("--farm", options.farm, "DIR", "the folder of the farm's policy");
    arguments.text("--versions", options.versions, "FILE",
                   "what the sources say of their versions, as JSON: {\"package\": \"1.2.3\"}");
    add_filter(arguments, "--package", options.filters.packages, "NAME");
    add_filter(arguments, "--platform", options.filters.platforms, "NAME");
    add_filter(arguments, "--cuda", options.filters.cudas, "VERSION");
    add_filter(arguments, "--pytorch", options.filters.pytorches, "VERSION");
    add_filter(arguments, "--python", options.filters.pythons, "VERSION");
    arguments.text("--output", options.output, "FILE",
                   "write the whole matrix here, and each page that GitHub takes beside it: matrix.page1.json and on");
    arguments.number("--page", options.page, std::size_t{1'000'000}, "N",
                     "the page to print, of those that GitHub takes (256 jobs of a list)");
    arguments.output(outputs, json_format(), "write the result as JSON; - is standard output");
}

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

void check_lists(const Farm& farm, const std::vector<GridRow>& rows, Listener& listener) {
    const std::vector<Finding> findings = unbuildable(farm, rows);
    listener.say(findings);
    if (fails(findings)) {
        throw bad_usage("the policy has arch lists that cannot be built", "correct them; each is named above");
    }
    listener.say(list_warnings(farm, rows));
}

std::vector<Cell> cells_of(const std::vector<GridRow>& grid) {
    std::vector<Cell> cells;
    for (const GridRow& row : grid) {
        cells.push_back(row.cell);
    }
    return cells;
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

void put_matrix(const Matrix& whole, const GridOptions& options, bool print_page, Listener& listener,
                Outcome& outcome) {
    const std::vector<MatrixPage> pages = to_pages(whole);
    check_page(options.page, pages.size());
    const PageReport report = report_pages(whole, pages, options.page);
    const std::string page = to_text(whole, pages.empty() ? MatrixPage() : pages[options.page - 1]);
    if (!options.output.empty()) {
        write_file(options.output, [&](std::ostream& out) {
            write_text(whole, all_rows(whole), [&](std::string_view part) { out << part; });
            out << '\n';
        });
        for (std::size_t i = 0; i < pages.size(); ++i) {
            write_file(page_path(options.output, i + 1), to_text(whole, pages[i]) + '\n');
        }
        remove_old_pages(options.output, pages.size());
    } else if (print_page) {
        listener.data(page);
    }
    listener.remark(to_text(report) + '\n');
    if (report.remain > 0) {
        listener.say({{"matrix-pages",
                       Severity::warning,
                       {},
                       to_text(report),
                       "GitHub takes 256 jobs of one matrix and about half a million characters of output: run the "
                       "rest with --page"}});
    }
    auto& result = std::get<json::object>(outcome.result);
    for (json::key_value_pair& pair : page_json(report)) {
        result[pair.key()] = std::move(pair.value());
    }
    result["output"] = options.output.empty() ? json::value() : json::value(valid_utf8(options.output));
    if (listener.wants_result()) {
        result["matrix"] = json::parse(page);
    }
    outcome.outputs["matrix"] = page;
    outcome.outputs["jobs"] = fmt::format("{}", report.page_jobs);
    outcome.outputs["pages"] = fmt::format("{}", report.pages);
}

}  // namespace wheelarch
