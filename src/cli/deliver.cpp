#include "cli/deliver.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/write_file.hpp"
#include "report/json.hpp"
#include "report/plan.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

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

json::object deliver(const Matrix& whole, const GridOptions& options, bool print_page, Streams streams,
                     Totals& totals) {
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
    }
    const bool json_out = options.json == "-";
    const bool matrix_out = print_page && options.output.empty() && !json_out;
    if (matrix_out) {
        streams.out << for_log(page) << '\n';
    }
    (matrix_out || json_out ? streams.err : streams.out) << to_text(report) << '\n';
    if (report.remain > 0) {
        say({{"matrix-pages",
              Severity::warning,
              {},
              to_text(report),
              "GitHub takes 256 jobs of one matrix and about half a million characters of output: run the rest with "
              "--page"}},
            streams);
    }
    totals.matrix = page;
    totals.jobs = report.page_jobs;
    totals.pages = report.pages;
    json::object result = page_json(report);
    result["output"] = options.output.empty() ? json::value() : json::value(valid_utf8(options.output));
    return result;
}

}  // namespace wheelarch
