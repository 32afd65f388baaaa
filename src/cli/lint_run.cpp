#include "cli/lint_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "lint/declared.hpp"
#include "lint/fetch.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

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
        if (!at->is_directory(ignored)) {
            continue;
        }
        const auto [place, is_new] = folders.emplace(folder_key(at->path().filename().string()), at->path());
        if (!is_new) {
            throw bad_usage(
                fmt::format("--sources {} has two folders for one package: {} and {}", printable(sources),
                            printable(place->second.filename().string()), printable(at->path().filename().string())),
                "leave one of them");
        }
    }
    if (failed) {
        throw unchecked(fmt::format("cannot list --sources {}: {}", printable(sources), failed.message()),
                        "give a folder with one folder of sources for each package");
    }
    return folders;
}

// `flash-attention` of `example-org/flash-attention`, or of a URL.
std::string repository_name(const std::string& repository) {
    std::string name = repository.substr(repository.rfind('/') + 1);
    if (name.ends_with(".git")) {
        name.resize(name.size() - std::string_view(".git").size());
    }
    return name;
}

std::optional<fs::path> folder_for(const std::map<std::string, fs::path>& folders, const Package& package) {
    for (const std::string& name : {package.name, repository_name(package.source_repo)}) {
        if (const auto found = folders.find(folder_key(name)); found != folders.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

PackageLint begin(const Package& package, std::string sources) {
    PackageLint lint;
    lint.package = package.name;
    lint.sources = std::move(sources);
    return lint;
}

// A submodule that was not checked out is an empty folder.
void require_files(const PackageLint& lint) {
    if (lint.files == 0) {
        throw unchecked(fmt::format("there is no source or build file in {}", printable(lint.sources)),
                        "check the sources out, with their submodules; vendored trees are looked at with --everything");
    }
}

class LintRun {
public:
    LintRun(const Farm& farm, const std::vector<GridRow>& rows, const SourceOptions& options, LintScope scope)
        : farm_(farm), rows_(rows), options_(options), all_rows_(scope != LintScope::rows) {}

    PackageLint in_folder(const Package& package, const fs::path& folder) const {
        PackageLint lint = begin(package, folder.string());
        lint.folder = folder.string();
        inside(printable(package.name), [&] {
            add_tree(lint, package, PackageSources(folder, options_.everything, build_folder(package)),
                     declared_lists(farm_, package, rows_));
            require_files(lint);
        });
        finish(lint, package, all_rows_);
        return lint;
    }

    // One tree for each source tag of the package's rows.
    PackageLint fetched(const Package& package, const SourceCache& cache) const {
        std::set<std::string> tags;
        for (const GridRow& row : rows_) {
            if (row.package == &package) {
                tags.insert(row.source_tag);
            }
        }
        PackageLint lint = begin(package, package.source_repo);
        inside(printable(package.name), [&] {
            const bool recursive =
                package.settings.clone_recursive.value_or(farm_.defaults.clone_recursive.value_or(false));
            for (const std::string& tag : tags) {
                const FetchedSources tree = cache.get({package.source_repo, tag, recursive});
                lint.sources += fmt::format(" {} ({})", tag, tree.commit);
                add_tree(lint, package, PackageSources(tree.folder, options_.everything, build_folder(package)),
                         declared_lists(farm_, package, rows_, tag));
            }
            require_files(lint);
        });
        finish(lint, package, all_rows_);
        return lint;
    }

private:
    const Farm& farm_;
    const std::vector<GridRow>& rows_;
    const SourceOptions& options_;
    bool all_rows_;
};

std::vector<PackageLint> lint_folders(const LintRun& run, const std::vector<const Package*>& packages,
                                      const std::string& sources, bool complete, Listener& listener) {
    const std::map<std::string, fs::path> folders = source_folders(sources);
    std::vector<std::pair<const Package*, fs::path>> there;
    std::vector<std::string> without;
    for (const Package* package : packages) {
        const auto folder = folder_for(folders, *package);
        if (folder) {
            there.emplace_back(package, *folder);
        } else {
            without.push_back(package->name);
        }
    }
    if (!without.empty() && (complete || there.empty())) {
        throw unchecked(
            fmt::format("--sources {} has no folder for {}", printable(sources), printable(enumerate(without, 5))),
            "name each folder as the package is named, or use --fetch");
    }
    if (!without.empty()) {
        listener.say({{"no-sources",
                       Severity::warning,
                       {},
                       fmt::format("{} without sources in {}, not looked at: {}", count_of(without.size(), "package"),
                                   printable(sources), printable(enumerate(without, 8))),
                       "add their folders, or name the packages that are meant"}});
    }
    std::vector<PackageLint> results;
    std::transform(there.begin(), there.end(), std::back_inserter(results),
                   [&](const auto& pair) { return run.in_folder(*pair.first, pair.second); });
    return results;
}

}  // namespace

void add_sources(Arguments& arguments, SourceOptions& options) {
    arguments.text("--sources", options.sources, "DIR", "a folder with one folder for each package");
    arguments.flag("--fetch", options.fetch, "fetch the sources by git, at source_tag");
    arguments.excludes("--fetch", "--sources");
    arguments.text("--cache", options.cache, "DIR", "where fetched sources are kept; default: the user's cache");
    arguments.flag("--everything", options.everything, "look at vendored trees, tests and examples too");
}

std::vector<PackageLint> lint_packages(const Farm& farm, const std::vector<GridRow>& rows,
                                       const std::vector<const Package*>& packages, const SourceOptions& sources,
                                       LintScope scope, Listener& listener) {
    if (sources.sources.empty() && !sources.fetch) {
        throw bad_usage("lint needs sources: --sources DIR or --fetch",
                        "for example --sources checkouts, a folder with one folder of sources for each package");
    }
    std::vector<const Package*> with_lists;
    std::copy_if(packages.begin(), packages.end(), std::back_inserter(with_lists),
                 [](const Package* package) { return !package->device_code_none && !package->jit; });
    if (with_lists.empty()) {
        return {};
    }
    const LintRun run(farm, rows, sources, scope);
    if (!sources.fetch) {
        return lint_folders(run, with_lists, sources.sources, scope != LintScope::farm, listener);
    }
    const SourceCache cache(sources.cache.empty() ? default_source_cache() : fs::path(sources.cache),
                            environment("WHEELARCH_TOKEN"));
    std::vector<PackageLint> results;
    std::transform(with_lists.begin(), with_lists.end(), std::back_inserter(results),
                   [&](const Package* package) { return run.fetched(*package, cache); });
    return results;
}

bool lint_fails(const std::vector<Located>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Located& located) { return located.finding.severity == Severity::error; });
}

}  // namespace wheelarch
