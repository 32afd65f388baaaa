#include "cli/lint_command.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/version.hpp"
#include "lint/declared.hpp"
#include "lint/fetch.hpp"
#include "lint/lint.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "policy/wording.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/lint.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

ExitCode explain(const std::string& name, std::ostream& out) {
    const Rule* rule = name == "all" ? nullptr : find_rule(name);
    if (rule == nullptr && name != "all") {
        std::vector<std::string> known;
        for (const Rule* one : rules()) {
            known.emplace_back(one->id);
        }
        const std::string nearest = nearest_name(name, known);
        throw bad_usage(fmt::format("there is no rule '{}'", printable(name)),
                        nearest.empty() ? "--explain all lists them" : fmt::format("did you mean {}?", nearest));
    }
    print_rule(out, rule);
    return ExitCode::ok;
}

// `flash_attn` for `flash-attn`, `Flash_Attn` and the like: what folders of sources are called.
std::string folder_key(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return lower_case(name);
}

// The folders of `--sources`, by name.
std::map<std::string, fs::path> source_folders(const std::string& sources) {
    std::error_code failed;
    std::map<std::string, fs::path> folders;
    for (fs::directory_iterator at(sources, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (at->is_directory(ignored)) {
            folders.emplace(folder_key(at->path().filename().string()), at->path());
        }
    }
    if (failed) {
        throw unchecked(fmt::format("cannot list --sources {}: {}", printable(sources), failed.message()),
                        "give a folder with one folder of sources for each package");
    }
    return folders;
}

// By the package's name, else by its repository's.
std::optional<fs::path> folder_for(const std::map<std::string, fs::path>& folders, const Package& package) {
    for (const std::string& name : {package.name, package.source_repo.substr(package.source_repo.rfind('/') + 1)}) {
        if (const auto found = folders.find(folder_key(name)); found != folders.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

class LintRun {
public:
    LintRun(const LintOptions& options, Streams streams)
        : options_(options), streams_(streams), farm_(read_farm(options.farm)), rows_(make_grid(farm_)) {}

    std::vector<PackageLint> run() {
        std::vector<const Package*> asked;
        for (const std::string& name : options_.packages) {
            asked.push_back(&find_package(farm_, name));
        }
        if (options_.packages.empty()) {
            std::transform(farm_.packages.begin(), farm_.packages.end(), std::back_inserter(asked),
                           [](const Package& package) { return &package; });
        }
        return options_.fetch ? fetched(asked) : in_folders(asked);
    }

private:
    std::vector<PackageLint> in_folders(const std::vector<const Package*>& asked) {
        const std::map<std::string, fs::path> folders = source_folders(options_.sources);
        std::vector<PackageLint> results;
        std::vector<std::string> without;
        for (const Package* package : asked) {
            const auto folder = folder_for(folders, *package);
            if (!folder) {
                without.push_back(package->name);
                continue;
            }
            results.push_back(begin(*package, folder->string()));
            results.back().folder = folder->string();
            inside(printable(package->name), [&] {
                const PackageSources sources(*folder, options_.everything);
                add_tree(results.back(), *package, sources, declared_lists(farm_, *package, rows_));
            });
            finish(results.back(), *package);
        }
        if (results.empty() || (!without.empty() && !options_.packages.empty())) {
            throw unchecked(fmt::format("--sources {} has no folder for {}", printable(options_.sources),
                                        printable(enumerate(without, 5))),
                            "name each folder as the package is named, or use --fetch");
        }
        if (!without.empty()) {
            say({{"no-sources",
                  Severity::warning,
                  {},
                  fmt::format("{} without sources in {}, not looked at: {}", count_of(without.size(), "package"),
                              printable(options_.sources), printable(enumerate(without, 8))),
                  "add their folders, or name the packages that are meant"}},
                streams_);
        }
        return results;
    }

    // One tree for each source tag of a package's rows.
    std::vector<PackageLint> fetched(const std::vector<const Package*>& asked) {
        const SourceCache cache(options_.cache.empty() ? default_source_cache() : fs::path(options_.cache),
                                environment("WHEELARCH_TOKEN"));
        std::vector<PackageLint> results;
        for (const Package* package : asked) {
            std::set<std::string> tags;
            for (const GridRow& row : rows_) {
                if (row.package == package) {
                    tags.insert(row.source_tag);
                }
            }
            results.push_back(begin(*package, package->source_repo));
            inside(printable(package->name), [&] {
                for (const std::string& tag : tags) {
                    const bool recursive =
                        package->settings.clone_recursive.value_or(farm_.defaults.clone_recursive.value_or(false));
                    const FetchedSources tree = cache.get({package->source_repo, tag, recursive});
                    results.back().sources += fmt::format(" {} ({})", tag, tree.commit);
                    add_tree(results.back(), *package, PackageSources(tree.folder, options_.everything),
                             declared_lists(farm_, *package, rows_, tag));
                }
            });
            finish(results.back(), *package);
        }
        return results;
    }

    static PackageLint begin(const Package& package, std::string sources) {
        PackageLint lint;
        lint.package = package.name;
        lint.sources = std::move(sources);
        return lint;
    }

    const LintOptions& options_;
    Streams streams_;
    Farm farm_;
    std::vector<GridRow> rows_;
};

}  // namespace

ExitCode lint(const LintOptions& options, Streams streams, Totals& totals) {
    if (!options.explain.empty()) {
        return explain(options.explain, streams.out);
    }
    if (options.sources.empty() && !options.fetch) {
        throw bad_usage("lint needs sources: --sources DIR or --fetch",
                        "for example wheelarch lint sageattention --sources checkouts");
    }
    const std::vector<PackageLint> results = LintRun(options, streams).run();
    std::vector<Finding> findings;
    std::vector<Annotation> annotations;
    for (const PackageLint& package : results) {
        for (const LintFinding& finding : package.findings) {
            if (finding.ignored.empty()) {
                findings.push_back(as_finding(finding));
                annotations.push_back({findings.back(), file_of(package, finding), finding.line});
            }
        }
    }
    if (options.json != "-") {
        print_lint(streams.out, results);
    }
    if (!options.json.empty()) {
        write_json(options.json, lint_json(results));
    }
    if (!options.sarif.empty()) {
        write_json(options.sarif, lint_sarif(results, version()));
    }
    const bool failed = fails(findings);
    if (on_github()) {
        annotate_lines(streams.err, annotations);
        if (!findings.empty()) {
            add_to_summary(findings_summary("lint", findings));
        }
    }
    totals.verdict = failed ? "mismatch" : "match";
    return failed ? ExitCode::findings : ExitCode::ok;
}

}  // namespace wheelarch
