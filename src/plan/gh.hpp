// gh: GitHub's own program, asked for the releases of a farm, `<package>-latest`, and for the wheels in them. It brings
// the credentials of the machine; a token in $WHEELARCH_TOKEN serves where gh has none of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plan/assets.hpp"

namespace wheelarch {

// Is it OWNER/NAME?
bool is_repository(std::string_view text);

class Releases {
public:
    // `repository` is OWNER/NAME, or empty for the one that gh finds in the working folder or in $GH_REPO. Throws an
    // Error: exit 2 if it is something else, exit 3 if there is no gh.
    explicit Releases(const std::string& repository);

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

    static constexpr std::uint64_t kMostOutput = std::uint64_t{256} << 20;

    std::filesystem::path program_;
    std::string base_;
    bool repository_answered_ = false;
};

// Which repository is asked: `named`, else $GH_REPO, else that of the run, else (empty) what gh finds: without a name
// it goes by the working folder, which need not be the farm.
std::string releases_repository(const std::string& named);

// The names of the assets of all these packages.
AssetList ask_gh(const std::string& repository, const std::vector<std::string>& packages);

}  // namespace wheelarch
