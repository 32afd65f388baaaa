// gh: GitHub's own program, asked for the releases of a farm, `<package>-latest`, and for the wheels in them. It brings
// the credentials of the machine; a token in $WHEELARCH_TOKEN serves where gh has none of its own.
//
// One server is asked, about one repository, by its API or by the addresses of its releases; gh is told both, so that
// it looks at no git repository. It gets the token of that server, and no other secret of the environment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"
#include "plan/assets.hpp"

namespace wheelarch {

// Is it OWNER/NAME?
bool is_repository(std::string_view text);

// Whose releases are asked for, and where.
struct ReleasePlace {
    std::string host;        // `github.com`, or an Enterprise server
    std::string repository;  // OWNER/NAME
};

// The repository is `named` (OWNER/NAME), else $GH_REPO, else that of the run ($GITHUB_REPOSITORY), else that of a
// remote of the repository in the working folder: upstream, github, origin or the only one, as gh itself goes by. The
// host is what $GH_REPO says, else $GH_HOST, else that of the run ($GITHUB_SERVER_URL), else that remote's, else
// github.com. Throws an Error: exit 2 if a name is none, exit 3 if nothing tells the repository.
ReleasePlace release_place(const std::string& named, bool trust_git_config);

class Releases {
public:
    // Throws an Error (exit 3) if there is no gh.
    explicit Releases(ReleasePlace place);

    // Throws an Error (exit 3) if one of them states an address on another server: a list of assets may come from
    // anywhere, and gh sends its token along.
    void require_own(const std::vector<ReleaseAsset>& assets) const;

    // A release that does not exist has no assets, once the repository itself has answered. Throws an Error (exit 3)
    // with gh's own words for anything else: no token, no answer, half a list.
    std::vector<ReleaseAsset> assets_of(const std::string& package);

    // Writes its bytes to `file`. Threads may call it at the same time. Throws an Error (exit 3), and leaves no file,
    // if it cannot be had, or has not the size and the digest that the release states: it was damaged on its way.
    void download(const ReleaseAsset& asset, const std::filesystem::path& file) const;

private:
    struct Answer;
    Answer call(std::vector<std::string> arguments, const std::filesystem::path& into = {},
                std::uint64_t most = kMostOutput) const;
    void check_repository();
    std::vector<ReleaseAsset> list_pages(std::int64_t release_id, const std::string& tag) const;

    bool is_web_address(const std::string& address) const;
    EnvironmentChanges environment_of_gh() const;

    static constexpr std::uint64_t kMostOutput = std::uint64_t{256} << 20;

    std::filesystem::path program_;
    ReleasePlace place_;
    std::string base_;
    bool repository_answered_ = false;
};

// The names of the assets of all these packages.
AssetList ask_gh(const ReleasePlace& place, const std::vector<std::string>& packages);

}  // namespace wheelarch
