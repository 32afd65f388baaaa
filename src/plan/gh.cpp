#include "plan/gh.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kInstead[] = "or save the list in a step of your own and give it with --existing FILE";
constexpr std::chrono::seconds kDownloadTime{3600};
constexpr std::chrono::seconds kAnswerTime{300};

std::string_view trimmed_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \r\n") + 1);
}

struct Release {
    std::int64_t id = 0;
    std::size_t assets = 0;  // that it names itself
};

Release parse_release(const std::string& text, const std::string& tag) {
    boost::system::error_code failure;
    const json::value value = json::parse(text, failure);
    const bool is_release = !failure && value.is_object() && value.as_object().contains("id") &&
                            value.at("id").is_int64() && value.as_object().contains("assets") &&
                            value.at("assets").is_array();
    if (!is_release) {
        throw unchecked(fmt::format("gh's answer about the release {} is no release", tag),
                        std::string("check GH_HOST and the proxy, ") + kInstead);
    }
    return {value.at("id").as_int64(), value.at("assets").as_array().size()};
}

// The release names its assets too; a list that has fewer was cut short on its way.
void check_complete(std::size_t found, const Release& release, const std::string& tag) {
    if (found < release.assets) {
        throw unchecked(
            fmt::format("gh listed {} of the release {}, which has {}", count_of(found, "asset"), tag, release.assets),
            "try again: the list was cut short, or assets were being deleted");
    }
}

void remove_quietly(const std::filesystem::path& file) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
}

// What is wrong with a file that should be the asset's; empty if nothing is.
std::string damage(const ReleaseAsset& asset, const std::filesystem::path& file) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(file, failure);
    if (failure || size != asset.size) {
        return fmt::format("its release states {} bytes, {} came", asset.size, failure ? 0 : size);
    }
    const std::string sha256 = asset.sha256.empty() ? "" : sha256_hex(file);
    return sha256 == asset.sha256
               ? ""
               : fmt::format("its release states the sha256 {}, what came has {}", asset.sha256, sha256);
}

}  // namespace

// How one call of gh ended.
struct Releases::Answer {
    ProcessResult result;

    bool succeeded() const { return !result.timed_out && !result.cut && !result.crashed && result.exit_code == 0; }
    // gh ends its words with the status; what comes before is the server's.
    bool is_not_found() const {
        return result.exit_code == 1 && !result.timed_out && !result.crashed &&
               trimmed_end(result.error).ends_with("(HTTP 404)");
    }
    std::string words() const {
        return result.timed_out ? "did not end in time"
               : result.cut     ? "printed more than is read"
               : result.crashed ? "crashed"
                                : fmt::format("failed with exit code {}: {}", result.exit_code,
                                              printable(trimmed_end(result.error).substr(0, 500)));
    }
    // The server or the network failed, and not what was asked.
    bool is_passing() const {
        const std::string_view said = trimmed_end(result.error);
        const std::string_view end = said.substr(said.size() - std::min<std::size_t>(said.size(), 9));
        const bool by_status = end.find("HTTP 5") != std::string_view::npos;
        const auto says = [&](std::string_view word) { return said.find(word) != std::string_view::npos; };
        return result.timed_out || by_status ||
               (!says("(HTTP ") &&
                (says("EOF") || says("error connecting") || says("timeout") || says("connection reset")));
    }
    const std::string& text(const std::string& of, const char* instead = kInstead) const {
        if (!succeeded()) {
            throw unchecked(fmt::format("gh {}, asked for {}", words(), of),
                            fmt::format("{}, {}",
                                        is_passing() ? "try again: the server or the network failed; if it stays so, "
                                                       "check GH_HOST and the proxy"
                                                     : "name the repository with --repo OWNER/NAME, give gh a token in "
                                                       "GH_TOKEN that may read it",
                                        instead));
        }
        return result.output;
    }
};

bool is_repository(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto is_part = [](std::string_view part) {
        return !part.empty() && part.front() != '-' &&
               part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
                   std::string_view::npos;
    };
    return slash != std::string_view::npos && is_part(text.substr(0, slash)) && is_part(text.substr(slash + 1));
}

Releases::Releases(const std::string& repository) : program_(find_on_path("gh")) {
    if (program_.empty()) {
        throw unchecked("gh was not found, so nobody can say which wheels exist",
                        std::string("install it (apt-get install gh), ") + kInstead);
    }
    if (!repository.empty() && !is_repository(repository)) {
        throw bad_usage(fmt::format("'{}' is no repository", printable(repository)), "expected OWNER/NAME");
    }
    base_ = "repos/" + (repository.empty() ? "{owner}/{repo}" : repository);
}

Releases::Answer Releases::call(std::vector<std::string> arguments, const std::filesystem::path& into,
                                std::uint64_t most) const {
    arguments.insert(arguments.begin(), "api");
    // A token that the action was given, unless gh has one of its own.
    EnvironmentChanges changes = {{"GH_PROMPT_DISABLED", "1"}, {"GH_NO_UPDATE_NOTIFIER", "1"}, {"NO_COLOR", "1"}};
    if (environment("GH_TOKEN").empty() && !environment("WHEELARCH_TOKEN").empty()) {
        changes["GH_TOKEN"] = environment("WHEELARCH_TOKEN");
    }
    return {run_program(program_, arguments, {into.empty() ? kAnswerTime : kDownloadTime, most, into}, changes)};
}

// Whoever may not see a repository is told that it is not there, as for a release that does not exist.
void Releases::check_repository() {
    if (!repository_answered_) {
        call({base_}).text("the repository");
        repository_answered_ = true;
    }
}

std::vector<ReleaseAsset> Releases::list_pages(std::int64_t release_id, const std::string& tag) const {
    const std::string path = fmt::format("{}/releases/{}/assets?per_page=100", base_, release_id);
    return inside("gh's list of the release " + tag,
                  [&] { return parse_release_assets(call({"--paginate", path}).text("the assets of " + tag), tag); });
}

std::vector<ReleaseAsset> Releases::assets_of(const std::string& package) {
    const std::string tag = package + "-latest";
    const Answer answer = call({base_ + "/releases/tags/" + tag});
    if (answer.is_not_found()) {
        check_repository();
        return {};
    }
    const Release release = parse_release(answer.text(tag), tag);
    std::vector<ReleaseAsset> assets = list_pages(release.id, tag);
    check_complete(assets.size(), release, tag);
    return assets;
}

// The web's address comes first: it counts for no rate limit, while a workflow's token has 1,000 calls of the API in an
// hour. A private repository has its assets by the API alone.
void Releases::download(const ReleaseAsset& asset, const std::filesystem::path& file) const {
    if (asset.address.starts_with("https://") && call({asset.address}, file, asset.size).succeeded() &&
        damage(asset, file).empty()) {
        return;
    }
    const std::string path = fmt::format("{}/releases/assets/{}", base_, asset.id);
    const Answer answer = call({"-H", "Accept: application/octet-stream", path}, file, asset.size);
    const std::string found = answer.result.cut    ? fmt::format("its release states {} bytes, more came", asset.size)
                              : answer.succeeded() ? damage(asset, file)
                                                   : "";
    if (answer.succeeded() && found.empty()) {
        return;
    }
    remove_quietly(file);
    if (!found.empty()) {
        throw unchecked("the download is damaged: " + found,
                        "try again; if it stays so, the asset was replaced meanwhile, or a proxy changes it");
    }
    answer.text("the asset " + printable(asset.name), "or download it yourself and give its path");
}

std::string releases_repository(const std::string& named) {
    const std::string of_run = environment("GITHUB_REPOSITORY");
    const bool by_run = named.empty() && environment("GH_REPO").empty() && is_repository(of_run);
    return by_run ? of_run : named;
}

AssetList ask_gh(const std::string& repository, const std::vector<std::string>& packages) {
    Releases releases(repository);
    AssetList all;
    for (const std::string& package : packages) {
        for (ReleaseAsset& asset : releases.assets_of(package)) {
            if (asset.uploaded && !asset.sha256.empty()) {
                all.facts.emplace(asset.name, AssetFacts{asset.sha256, asset.uploaded_at});
            }
            (asset.uploaded ? all.names : all.unfinished).push_back(std::move(asset.name));
        }
    }
    return all;
}

}  // namespace wheelarch
