#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "policy/cell.hpp"
#include "policy/cuda_archs.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct ListOptions {
    Outputs outputs;
    LedgerPlace place;
    std::string package;
    std::string cuda;
    std::optional<std::uint64_t> build_epoch;
    std::string arch;
    std::string provenance;
    bool fetch = false;
};

void declare(Arguments& arguments, ListOptions& options) {
    arguments.text("--package", options.package, "NAME", "only this package");
    arguments.text("--cuda", options.cuda, "VERSION", "only those built with this CUDA release");
    arguments.number("--build-epoch", options.build_epoch, 1, 1'000'000'000, "N", "only those of this epoch");
    arguments.text("--arch", options.arch, "ARCH", "only those that hold it: sm_90a, compute_90, or 9.0a for either");
    arguments.choice("--provenance", options.provenance, {"recorded", "inferred"}, "recorded|inferred",
                     "only the recorded or the inferred ones");
    arguments.flag("--fetch", options.fetch, "fetch the branch first");
    add_place(arguments, options.place);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
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

Outcome list_entries(const ListOptions& options, Listener& listener) {
    Filter filter(options);
    Ledger ledger = open_ledger(options.place);
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
    json::array entries;
    if (listener.wants_result()) {
        std::transform(found.begin(), found.end(), std::back_inserter(entries),
                       [](const Entry& entry) { return entry.json; });
    }
    Outcome outcome;
    outcome.result = json::object({{"schema", kSchema}, {"ledger", tip_json(tip)}, {"entries", std::move(entries)}});
    outcome.text =
        entries_text(found) + fmt::format("{} of {}\n", found.size(), count_of(all, "wheel")) + tip_text(tip);
    return outcome;
}

}  // namespace

Command ledger_list_command() {
    return {.name = "ledger list",
            .help = "The wheels that are recorded",
            .example = "wheelarch ledger list --package flash_attn --cuda 12.8 --arch sm_120",
            .bind = bind(declare, list_entries)};
}

}  // namespace wheelarch
