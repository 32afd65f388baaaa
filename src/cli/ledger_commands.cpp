#include "cli/ledger_commands.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "ledger/append_plan.hpp"
#include "ledger/ledger.hpp"
#include "plan/assets.hpp"
#include "policy/cell.hpp"
#include "policy/cuda_archs.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/text.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kEntrySuffix = ".ledger.json";
constexpr std::uint64_t kMostEntry = std::uint64_t{64} << 20;  // bytes

// The ledger as it is here, or was just fetched. One that is not here is an Error: it would read as an empty one.
Ledger::Tip find_tip(Ledger& ledger, bool fetch) {
    if (fetch || (!ledger.tip() && ledger.has_remote())) {
        ledger.fetch();
    }
    const auto tip = ledger.tip();
    if (!tip) {
        throw unchecked(fmt::format("there is no ledger: no branch {}", ledger.name()),
                        "name it with --branch and --remote; `wheelarch ledger record` makes it with its first entry");
    }
    return *tip;
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

ReadEntries read_entries(const std::vector<std::string>& paths, Streams streams) {
    ReadEntries read;
    for (const fs::path path : paths) {
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        for (const fs::path& file : is_folder ? entries_below(path) : std::vector<fs::path>{path}) {
            try {
                read.entries.push_back(read_entry(file));
            } catch (const Error& error) {
                report_error(error, streams);
                ++read.failed;
            }
        }
    }
    return read;
}

std::string cuda_asked(const std::string& text) {
    return text.empty() ? text : inside("--cuda", [&] { return to_text(parse_cuda_version(cuda_line(text))); });
}

bool holds(const json::object& entry, std::string_view kind, const std::string& name) {
    const json::array& names = entry.at("archs").at(kind).as_array();
    return std::find(names.begin(), names.end(), json::value(name)) != names.end();
}

// Which of an entry's archs a filter asks for: `sm_90a`, `compute_90`, or `9.0a` and `90a` for either.
struct ArchFilter {
    std::string sass;
    std::string ptx;

    explicit ArchFilter(const std::string& text) {
        const bool only_sass = text.starts_with("sm_");
        const bool only_ptx = text.starts_with("compute_");
        const std::string bare = only_sass ? text.substr(3) : only_ptx ? text.substr(8) : text;
        const auto arch = parse_bare_arch(bare) ? parse_bare_arch(bare) : parse_dotted_arch(bare);
        if (!arch) {
            throw bad_usage(fmt::format("--arch '{}' is no arch", printable(text)),
                            "for example sm_90a, compute_90, or 9.0 for either");
        }
        sass = only_ptx ? "" : sass_name(*arch);
        ptx = only_sass ? "" : ptx_name(*arch);
    }
    bool matches(const json::object& entry) const { return holds(entry, "sass", sass) || holds(entry, "ptx", ptx); }
};

class Filter {
public:
    explicit Filter(const ListOptions& options) : options_(options), cuda_(cuda_asked(options.cuda)) {
        if (!options.arch.empty()) {
            arch_.emplace(options.arch);
        }
    }

    bool takes(const Entry& entry) {
        packages_.insert(entry.package);
        return has_package(entry) && (cuda_.empty() || cuda_of(entry) == cuda_) &&
               (!options_.build_epoch || entry.json.at("build_epoch") == *options_.build_epoch) &&
               (!arch_ || arch_->matches(entry.json)) &&
               (options_.provenance.empty() || entry.json.at("provenance") == json::value(options_.provenance));
    }

    // A name that no entry has is a slip rather than an empty answer.
    void check_package() const {
        const auto is_asked = [&](const std::string& name) {
            return normal_name(name) == normal_name(options_.package);
        };
        if (options_.package.empty() || std::any_of(packages_.begin(), packages_.end(), is_asked)) {
            return;
        }
        const std::vector<std::string> known(packages_.begin(), packages_.end());
        const std::string nearest = nearest_name(options_.package, known);
        throw bad_usage(fmt::format("nothing is recorded of a package '{}'", printable(options_.package)),
                        nearest.empty() ? "there are: " + enumerate(known, 10) : "did you mean " + nearest + "?");
    }

private:
    bool has_package(const Entry& entry) const {
        return options_.package.empty() || normal_name(entry.package) == normal_name(options_.package);
    }
    static std::string cuda_of(const Entry& entry) {
        const auto cell = entry.json.find("cell");
        const json::value* cuda = cell != entry.json.end() && cell->value().is_object()
                                      ? cell->value().as_object().if_contains("cuda")
                                      : nullptr;
        return cuda != nullptr && cuda->is_string() ? std::string(cuda->as_string()) : std::string();
    }

    const ListOptions& options_;
    std::string cuda_;
    std::optional<ArchFilter> arch_;
    std::set<std::string> packages_;
};

void write_result(const LedgerPlace& place, const json::object& result) {
    if (!place.json.empty()) {
        write_json(place.json, result);
    }
}

}  // namespace

ExitCode record_entries(const RecordOptions& options, Streams streams, Totals& totals) {
    ReadEntries read = read_entries(options.entries, streams);
    Appended appended;
    if (!read.entries.empty()) {
        Ledger ledger =
            open_ledger(options.place.farm, options.place.branch, options.place.remote, options.place.trust_git_config);
        appended = ledger.append(std::move(read.entries), {options.replace});
        const std::string text =
            appended.commit.empty() ? "nothing was recorded" : appended_text(appended, ledger.name());
        if (options.place.json != "-" && !appended.commit.empty()) {
            streams.out << text << '\n';
        }
        if (on_github()) {
            add_to_summary(appended.refused.empty() ? text + "\n\n" : findings_summary(text, appended.refused));
        }
    }
    json::object result = appended_json(appended, options.place.branch);
    result["unreadable"] = read.failed;
    write_result(options.place, result);
    say(appended.refused, streams);
    totals.verdict = read.failed > 0 ? "unchecked" : appended.refused.empty() ? "recorded" : "conflict";
    return read.failed > 0 ? ExitCode::unchecked : appended.refused.empty() ? ExitCode::ok : ExitCode::findings;
}

ExitCode retire_entries(const RetireOptions& options, Streams streams) {
    std::vector<std::string> names = options.names;
    if (!options.from.empty()) {
        const AssetList list = inside("--from " + input_name(options.from),
                                      [&] { return parse_assets(read_text(options.from, kMostText)); });
        names.insert(names.end(), list.names.begin(), list.names.end());
    }
    if (names.empty()) {
        throw bad_usage("no wheel is named",
                        "give file names, or a list of them with --from; `wheelarch plan` has those "
                        "that could be retired");
    }
    std::set<std::string> packages;
    std::set<std::string> keys;
    for (const std::string& name : names) {
        inside(printable(name), [&] { packages.insert(normal_name(parse_wheel_name(name).distribution)); });
        keys.insert(wheel_key(name));
    }
    // Without its record a wheel that is still served would count as one of which nothing is known: at the first epoch
    // as a current one.
    std::vector<std::string> served;
    for (const std::string& asset : existing_assets(options.existing, packages).names) {
        if (keys.contains(wheel_key(asset))) {
            served.push_back(asset);
        }
    }
    if (!served.empty()) {
        say({{"still-served",
              Severity::error,
              {},
              fmt::format(
                  "{} still on the releases: {}",
                  served.size() == 1 ? "1 of the wheels is" : fmt::format("{} of the wheels are", served.size()),
                  printable(enumerate(served, 3))),
              "prune the assets first, then retire what is recorded of them"}},
            streams);
        return ExitCode::findings;
    }
    Ledger ledger =
        open_ledger(options.place.farm, options.place.branch, options.place.remote, options.place.trust_git_config);
    const Ledger::Retired retired = ledger.retire(names);
    if (options.place.json != "-") {
        streams.out << (retired.names.empty()
                            ? std::string("nothing is recorded of them\n")
                            : fmt::format("retired {} in {}, commit {}\n", count_of(retired.names.size(), "wheel"),
                                          ledger.name(), retired.commit));
    }
    json::array gone;
    for (const std::string& name : retired.names) {
        gone.emplace_back(valid_utf8(name));
    }
    write_result(options.place, {{"schema", kSchema},
                                 {"branch", options.place.branch},
                                 {"commit", retired.commit.empty() ? json::value() : json::value(retired.commit)},
                                 {"retired", std::move(gone)}});
    return ExitCode::ok;
}

ExitCode init_ledger(const LedgerPlace& place, Streams streams) {
    Ledger ledger = open_ledger(place.farm, place.branch, place.remote, place.trust_git_config);
    const std::string commit = ledger.init();
    if (place.json != "-") {
        streams.out << fmt::format("began {}, commit {}\n", ledger.name(), commit);
    }
    write_result(place, {{"schema", kSchema}, {"branch", place.branch}, {"commit", commit}});
    return ExitCode::ok;
}

ExitCode show_entry(const ShowOptions& options, Streams streams) {
    const std::string name = fs::path(options.name).filename().string();
    inside(printable(name), [&] { parse_wheel_name(name); });
    Ledger ledger =
        open_ledger(options.place.farm, options.place.branch, options.place.remote, options.place.trust_git_config);
    const Ledger::Tip tip = find_tip(ledger, options.fetch);
    const std::optional<Entry> entry = ledger.find(name);
    write_result(
        options.place,
        {{"schema", kSchema}, {"ledger", tip_json(tip)}, {"entry", entry ? json::value(entry->json) : json::value()}});
    if (!entry) {
        const bool may_be_old = ledger.has_remote() && !options.fetch;
        say({{"unrecorded", Severity::error, name,
              fmt::format("nothing is recorded of it in {} at {}", tip.ref, tip.commit.substr(0, 12)),
              fmt::format("{}`wheelarch ledger list` has the names",
                          may_be_old ? "--fetch brings the ledger up to date; " : "")}},
            streams);
        return ExitCode::findings;
    }
    if (options.place.json != "-") {
        print_entry(streams.out, *entry);
        print_tip(streams.out, tip);
    }
    return ExitCode::ok;
}

ExitCode list_entries(const ListOptions& options, Streams streams) {
    Filter filter(options);
    Ledger ledger =
        open_ledger(options.place.farm, options.place.branch, options.place.remote, options.place.trust_git_config);
    const Ledger::Tip tip = find_tip(ledger, options.fetch);
    std::vector<Entry> found;
    std::size_t all = 0;
    ledger.each([&](const Entry& entry) {
        ++all;
        if (filter.takes(entry)) {
            found.push_back(entry);
        }
    });
    filter.check_package();
    if (!options.place.json.empty()) {
        json::array entries;
        for (const Entry& entry : found) {
            entries.push_back(entry.json);
        }
        write_json(options.place.json,
                   {{"schema", kSchema}, {"ledger", tip_json(tip)}, {"entries", std::move(entries)}});
    }
    if (options.place.json != "-") {
        print_entries(streams.out, found);
        streams.out << fmt::format("{} of {}\n", found.size(), count_of(all, "wheel"));
        print_tip(streams.out, tip);
    }
    return ExitCode::ok;
}

}  // namespace wheelarch
