#include "lint/fetch.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/scratch.hpp"
#include "base/text.hpp"
#include "ledger/git_address.hpp"
#include "ledger/git_program.hpp"
#include "policy/package_parts.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kShort{120};
constexpr std::chrono::seconds kLong{1800};

bool is_hash(std::string_view ref) {
    constexpr std::size_t kSha1 = 40;
    return ref.size() == kSha1 && ref.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_plain(std::string_view text) {
    return !text.empty() && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

// Of the workflow, with a slash behind it.
std::string server() {
    const std::string of_run = environment("GITHUB_SERVER_URL");
    return (of_run.empty() ? "https://github.com" : of_run) + "/";
}

std::string url_of(const std::string& repository) {
    const bool is_url = repository.starts_with("https://") || repository.starts_with("http://") ||
                        repository.starts_with("ssh://") || repository.starts_with("file://");
    if (is_plain(repository) && is_url) {
        return repository;
    }
    const std::size_t slash = repository.find('/');
    const std::string_view name = std::string_view(repository).substr(std::min(slash, repository.size() - 1) + 1);
    if (slash == std::string::npos || !is_package_name(repository.substr(0, slash)) || name.empty() ||
        !std::all_of(name.begin(), name.end(), is_name_character)) {
        throw bad_usage(fmt::format("source_repo is '{}', OWNER/NAME or a URL is expected", printable(repository)),
                        "correct source_repo in the package's YAML");
    }
    return server() + repository;
}

// A folder's name for a repository: what is not plain is `_`.
std::string slug(std::string text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return !is_name_character(c); }, '_');
    constexpr std::size_t kLongest = 120;
    return text.size() <= kLongest ? text : text.substr(text.size() - kLongest);
}

class Fetching {
public:
    Fetching(const SourceRef& source, std::string url, const fs::path& git_dir, const std::string& token)
        : source_(source),
          url_(std::move(url)),
          git_(git_dir, {.token = token, .routes = {{url_, url_}}, .trusted = false}) {}

    std::string commit_of_ref() const {
        if (is_hash(source_.ref)) {
            return source_.ref;
        }
        const std::string tag = "refs/tags/" + source_.ref;
        const std::string branch = "refs/heads/" + source_.ref;
        const GitRun run = done({"ls-remote", "--", url_, tag, tag + "^{}", branch}, kShort);
        std::string commit;
        for (const std::string& name : {branch, tag, tag + "^{}"}) {  // the later, the better
            const std::size_t at = run.output.find("\t" + name + "\n");
            constexpr std::size_t kHash = 40;
            commit = at != std::string::npos && at >= kHash ? run.output.substr(at - kHash, kHash) : commit;
        }
        if (!is_hash(commit)) {
            throw unchecked(fmt::format("there is no tag or branch '{}'", printable(source_.ref)),
                            "correct source_tag in the package's YAML");
        }
        return commit;
    }

    void check_out(const std::string& commit, const fs::path& tree) const {
        std::error_code ignored;
        fs::create_directory(tree, ignored);
        const std::string work_tree = "--work-tree=" + tree.string();
        done({"init", "--quiet", "--bare"}, kShort);
        done({"fetch", "--quiet", "--depth=1", "--no-tags", "--", url_, commit}, kLong);
        done(
            {"-c", "core.bare=false", "-c", "core.symlinks=false", work_tree, "checkout", "--quiet", "--force", commit},
            kLong);
        if (source_.recursive && fs::exists(tree / ".gitmodules", ignored)) {
            done({"config", "core.bare", "false"}, kShort);
            done({"config", "core.worktree", tree.string()}, kShort);
            // Relative addresses of submodules are relative to this one.
            done({"config", "remote.origin.url", url_}, kShort);
            done({"-c", "core.symlinks=false", "-C", tree.string(), "submodule", "--quiet", "update", "--init",
                  "--recursive", "--depth=1"},
                 kLong);
        }
    }

private:
    GitRun done(const std::vector<std::string>& arguments, std::chrono::seconds limit) const {
        GitRun run = git_.run(arguments, limit);
        if (!run.ok()) {
            throw unchecked(run.timed_out ? fmt::format("git took more than {} s", limit.count())
                                          : "git refused: " + GitProgram::words(run),
                            "check source_repo and source_tag, and that this machine may read the repository");
        }
        return run;
    }

    const SourceRef& source_;
    std::string url_;
    GitProgram git_;
};

}  // namespace

SourceCache::SourceCache(fs::path folder, std::string token) : folder_(std::move(folder)), token_(std::move(token)) {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    folder_ = fs::canonical(folder_, failed);
    if (failed) {
        throw unchecked(fmt::format("cannot make the folder {}: {}", printable(folder_.string()), failed.message()),
                        "name another with --cache");
    }
}

FetchedSources SourceCache::get(const SourceRef& source) const {
    return inside(printable(fmt::format("{} at {}", without_user(source.repository), source.ref)), [&] {
        if (!is_plain(source.ref)) {
            throw bad_usage("the ref is no name of a tag, branch or commit",
                            "correct source_tag in the package's YAML");
        }
        const std::string url = url_of(source.repository);
        const fs::path home = folder_ / slug(without_user(url));
        std::error_code failed;
        fs::create_directories(home, failed);
        const ScratchFolder scratch(home);
        const Fetching fetching(source, url, scratch.path(), url.starts_with(server()) ? token_ : "");
        const std::string commit = fetching.commit_of_ref();
        const fs::path kept = home / (commit + (source.recursive ? "-recursive" : ""));
        if (fs::is_directory(kept, failed)) {
            return FetchedSources{kept, commit};
        }
        // Beside its final place, so that it appears there complete or not at all.
        const fs::path tree = home / (scratch.path().filename().string() + ".tree");
        try {
            fetching.check_out(commit, tree);
            fs::rename(tree, kept, failed);
            if (failed && !fs::is_directory(kept)) {
                throw unchecked(fmt::format("cannot write {}: {}", printable(kept.string()), failed.message()),
                                "name another folder with --cache");
            }
        } catch (...) {
            fs::remove_all(tree, failed);
            throw;
        }
        fs::remove_all(tree, failed);  // if another run was faster
        return FetchedSources{kept, commit};
    });
}

fs::path default_source_cache() {
    const std::pair<const char*, const char*> places[] = {
        {"XDG_CACHE_HOME", "wheelarch"}, {"RUNNER_TEMP", "wheelarch"}, {"HOME", ".cache/wheelarch"}};
    for (const auto& [name, below] : places) {
        if (const std::string value = environment(name); !value.empty()) {
            return fs::path(value) / below / "sources";
        }
    }
    throw bad_usage("there is no place to keep sources: HOME is not set", "name a folder with --cache");
}

}  // namespace wheelarch
