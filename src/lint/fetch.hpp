// SourceCache: sources of packages, fetched by the machine's git and kept by commit.
//
// A tree is fetched without its history, and nothing in it runs: no hooks, no filters. Links are written as small files
// of text. A commit that is there is not fetched again, and with a full hash as the ref nothing is asked at all.
#pragma once

#include <filesystem>
#include <string>

namespace wheelarch {

struct SourceRef {
    std::string repository;  // `OWNER/NAME` on the server of the workflow, else github.com; or a URL
    std::string ref;         // a tag, a branch or a full hash
    bool recursive = false;  // with its submodules
};

struct FetchedSources {
    std::filesystem::path folder;
    std::string commit;
};

class SourceCache {
public:
    // `folder` is made if it is not there. `token` (may be empty) is for HTTP remotes, as in GitProgram, of the
    // workflow's own server (GITHUB_SERVER_URL, else github.com), and goes to no other.
    SourceCache(std::filesystem::path folder, std::string token);

    // Throws an Error: exit 2 for a repository or ref that cannot be one, exit 3 if git refuses or finds no such ref.
    FetchedSources get(const SourceRef& source) const;

private:
    std::filesystem::path folder_;
    std::string token_;
};

// Where sources are kept if nothing else is said: in $XDG_CACHE_HOME, $RUNNER_TEMP or ~/.cache. Throws an Error (exit
// 2) if none is set.
std::filesystem::path default_source_cache();

}  // namespace wheelarch
