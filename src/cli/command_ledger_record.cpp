#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "ledger/append_plan.hpp"
#include "ledger/ledger.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/markdown.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

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
        check_consistent(entry);
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

// All that can be read; what cannot is reported, and does not keep the rest from being recorded.
struct ReadEntries {
    std::vector<Entry> entries;
    std::size_t failed = 0;
};

ReadEntries read_entries(const std::vector<std::string>& paths, Listener& listener) {
    ReadEntries read;
    for (const fs::path path : paths) {
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        for (const fs::path& file : is_folder ? entries_below(path) : std::vector<fs::path>{path}) {
            try {
                read.entries.push_back(read_entry(file));
            } catch (const Error& error) {
                listener.failed(error);
                listener.annotate(located({as_finding(error)}));
                ++read.failed;
            }
        }
    }
    return read;
}

// All entries in one commit. Exit 1 if a wheel is recorded differently and it is not `--replace`; 3 if an entry could
// not be read.
Outcome record_entries(const RecordOptions& options, Listener& listener) {
    ReadEntries read = read_entries(options.entries, listener);
    Outcome outcome;
    Appended appended;
    if (!read.entries.empty()) {
        Ledger ledger = open_ledger(options.place);
        appended = ledger.append(std::move(read.entries), {options.replace});
        const bool recorded = !appended.commit.empty();
        const std::string text = recorded ? appended_text(appended, ledger.name()) : "nothing was recorded";
        outcome.text = recorded ? text + '\n' : "";
        outcome.summary.head = appended.refused.empty() ? text + "\n\n" : findings_summary(text, appended.refused);
    }
    json::object result = appended_json(appended, options.place.branch);
    result["unreadable"] = read.failed;
    outcome.result = std::move(result);
    listener.say(appended.refused);
    outcome.outputs["verdict"] = read.failed > 0 ? "unchecked" : appended.refused.empty() ? "recorded" : "conflict";
    outcome.code = read.failed > 0 ? ExitCode::unchecked : appended.refused.empty() ? ExitCode::ok : ExitCode::findings;
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
