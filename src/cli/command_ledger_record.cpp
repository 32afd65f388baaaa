#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "ledger/ledger.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/markdown.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEntrySuffix = ".ledger.json";
constexpr std::uint64_t kMostEntry = std::uint64_t{64} << 20;  // bytes

struct RecordOptions {
    Outputs outputs;
    LedgerPlace place;
    std::vector<std::string> entries;  // files, or folders of them
    bool replace = false;
};

void declare(Arguments& arguments, RecordOptions& options) {
    arguments.flag("--replace", options.replace, "a rebuild: replace what is recorded of these wheels");
    add_place(arguments, options.place);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
}

void declare_record(Arguments& arguments, RecordOptions& options) {
    arguments.some("ENTRY", options.entries, "WHEEL.ledger.json files, as gate writes them");
    declare(arguments, options);
}

void declare_collect(Arguments& arguments, RecordOptions& options) {
    arguments.some("DIR", options.entries, "folders that hold *.ledger.json, at any depth");
    declare(arguments, options);
}

void from_action(ActionLine& line) {
    line.option("ledger-branch", "branch");
    line.wheels();
}

Entry read_entry(const fs::path& path) {
    return inside(path.string(), [&] {
        const MappedFile file(path);
        if (file.view().size() > kMostEntry) {
            throw unchecked("more than 64 MiB, which is no ledger entry", "give what `wheelarch gate` wrote");
        }
        Entry entry = parse_entry(file.view().text());
        for (const char* key : {"history", "valid_for_epoch"}) {
            entry.json.erase(key);  // only the ledger itself writes these
        }
        return entry;
    });
}

std::vector<fs::path> entries_below(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(folder, failure), end; entry != end; entry.increment(failure)) {
        if (!entry->is_symlink() && entry->is_regular_file() &&
            entry->path().filename().string().ends_with(kEntrySuffix)) {
            found.push_back(entry->path());
        }
    }
    if (failure) {
        throw unchecked(fmt::format("cannot read the folder: {}", failure.message())).inside(folder.string());
    }
    if (found.empty()) {
        throw unchecked(fmt::format("no *{} in this folder", kEntrySuffix),
                        "check the path, and that the build jobs uploaded what `wheelarch gate` wrote")
            .inside(folder.string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Entry> read_entries(const std::vector<std::string>& paths) {
    std::vector<Entry> entries;
    for (const fs::path path : paths) {
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        for (const fs::path& file : is_folder ? entries_below(path) : std::vector<fs::path>{path}) {
            entries.push_back(read_entry(file));
        }
    }
    return entries;
}

// All entries in one commit. Exit 1 if a wheel is recorded differently and it is not `--replace`.
Outcome record_entries(const RecordOptions& options, Listener& listener) {
    std::vector<Entry> entries = read_entries(options.entries);
    Ledger ledger = open_ledger(options.place);
    const Appended appended = ledger.append(std::move(entries), {options.replace});
    Outcome outcome;
    outcome.result = appended_json(appended, options.place.branch);
    if (!appended.refused.empty()) {
        listener.say(appended.refused);
        outcome.summary.head = findings_summary("nothing was recorded", appended.refused);
        outcome.outputs["verdict"] = "conflict";
        outcome.code = ExitCode::findings;
        return outcome;
    }
    outcome.text = appended_text(appended, ledger.name()) + '\n';
    outcome.summary.head = outcome.text + '\n';
    outcome.outputs["verdict"] = "recorded";
    return outcome;
}

}  // namespace

Command ledger_record_command() {
    return {.name = "ledger record",
            .help = "Commit entries to the ledger, and again if others were faster",
            .example = "wheelarch ledger record dist/*.ledger.json",
            .bind = bind(declare_record, record_entries)};
}

Command ledger_collect_command() {
    return {.name = "ledger collect",
            .help = "Commit all entries below a folder in one commit",
            .example = "wheelarch ledger collect artifacts/",
            .bind = bind(declare_collect, record_entries),
            .from_action = from_action};
}

}  // namespace wheelarch
