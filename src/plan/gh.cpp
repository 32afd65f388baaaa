#include "plan/gh.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
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
#include "ledger/git_address.hpp"
#include "ledger/git_repo.hpp"

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

namespace {

bool is_host(std::string_view text) {
    return !text.empty() && text.front() != '-' &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-:") == std::string_view::npos;
}

}  // namespace

bool is_repository(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto is_part = [](std::string_view part) {
        return !part.empty() && part.front() != '-' && part != "." && part != ".." &&
               part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
                   std::string_view::npos;
    };
    return slash != std::string_view::npos && is_part(text.substr(0, slash)) && is_part(text.substr(slash + 1));
}

Releases::Releases(ReleasePlace place) : program_(find_on_path("gh")), place_(std::move(place)) {
    if (program_.empty()) {
        throw unchecked("gh was not found, so nobody can say which wheels exist",
                        std::string("install it (apt-get install gh), ") + kInstead);
    }
    base_ = "repos/" + place_.repository;
}

bool Releases::is_web_address(const std::string& address) const {
    return lower_case(address).starts_with(
        lower_case(fmt::format("https://{}/{}/releases/download/", place_.host, place_.repository)));
}

void Releases::require_own(const std::vector<ReleaseAsset>& assets) const {
    const std::string own = lower_case(fmt::format("https://{}/", place_.host));
    for (const ReleaseAsset& asset : assets) {
        if (!asset.address.empty() && !lower_case(asset.address).starts_with(own)) {
            throw unchecked(fmt::format("the asset {} has the browser_download_url {}, which is not of {}",
                                        printable(asset.name), printable(asset.address), printable(place_.host)),
                            "give the list as gh prints it: `gh api --paginate repos/OWNER/NAME/releases/ID/assets`; "
                            "for another server, set GH_HOST");
        }
    }
}

// The token of the action is for the server of its workflow.
EnvironmentChanges Releases::environment_of_gh() const {
    const bool is_cloud = place_.host == "github.com" || place_.host.ends_with(".ghe.com");
    EnvironmentChanges changes = {
        {"GH_PROMPT_DISABLED", "1"}, {"GH_NO_UPDATE_NOTIFIER", "1"}, {"NO_COLOR", "1"}, {"GH_REPO", std::nullopt}};
    if (is_cloud) {
        changes["GH_HOST"] = std::nullopt;
    }
    const std::string own = is_cloud ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN";
    const std::string server = parse_git_address(environment("GITHUB_SERVER_URL")).host;
    const bool is_of_run = server.empty() || server == place_.host;
    for (const std::string& token :
         {environment(own.c_str()), is_of_run ? environment("WHEELARCH_TOKEN") : std::string(),
          environment(is_cloud ? "GITHUB_TOKEN" : "GITHUB_ENTERPRISE_TOKEN")}) {
        if (!token.empty()) {
            changes[own] = token;
            break;
        }
    }
    return changes;
}

Releases::Answer Releases::call(std::vector<std::string> arguments, const std::filesystem::path& into,
                                std::uint64_t most) const {
    arguments.insert(arguments.begin(), {"api", "--hostname", place_.host});
    return {run_program(program_, arguments, {into.empty() ? kAnswerTime : kDownloadTime, most, into},
                        environment_of_gh())};
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
    if (is_web_address(asset.address) && call({asset.address}, file, asset.size).succeeded() &&
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

namespace {

// `[HOST/]OWNER/NAME`
ReleasePlace parse_place(const std::string& text, const char* what) {
    const auto slashes = std::count(text.begin(), text.end(), '/');
    const std::size_t first = slashes == 2 ? text.find('/') : std::string::npos;
    ReleasePlace place = {.host = first == std::string::npos ? "" : lower_case(text.substr(0, first)),
                          .repository = first == std::string::npos ? text : text.substr(first + 1)};
    if (!is_repository(place.repository) || (first != std::string::npos && !is_host(place.host))) {
        throw bad_usage(fmt::format("'{}'{} is no repository", printable(text), what), "expected OWNER/NAME");
    }
    return place;
}

std::optional<ReleasePlace> place_of_url(const std::string& url) {
    const GitAddress address = parse_git_address(url);
    std::string path = url.substr(0, url.find_last_not_of('/') + 1);
    path = path.ends_with(".git") ? path.substr(0, path.size() - 4) : path;
    const std::size_t name = path.rfind('/');
    const std::size_t owner = name == std::string::npos || name == 0 ? name : path.find_last_of("/:", name - 1);
    if (address.host.empty() || owner == std::string::npos || !is_repository(path.substr(owner + 1))) {
        return std::nullopt;
    }
    return ReleasePlace{.host = address.host == "ssh.github.com" ? "github.com" : address.host,
                        .repository = path.substr(owner + 1)};
}

ReleasePlace place_of_remote(bool trust_git_config) {
    constexpr char kNobody[] = "nobody says whose releases are meant";
    std::optional<GitRepo> opened;
    try {
        opened.emplace(".", trust_git_config);
    } catch (const Error& error) {
        throw unchecked(fmt::format("{}: {}", kNobody, error.what()),
                        "name the repository with --repo OWNER/NAME; or " + error.fix());
    }
    const GitRepo& repo = *opened;
    const std::vector<std::string> remotes = repo.remotes();
    for (const std::string& name : {std::string("upstream"), std::string("github"), std::string("origin"),
                                    remotes.size() == 1 ? remotes.front() : std::string()}) {
        if (std::find(remotes.begin(), remotes.end(), name) != remotes.end()) {
            if (const auto place = place_of_url(repo.remote(name).url)) {
                return *place;
            }
        }
    }
    throw unchecked(fmt::format("{}: no remote of the repository in the working folder is on a server", kNobody),
                    "name the repository with --repo OWNER/NAME");
}

}  // namespace

ReleasePlace release_place(const std::string& named, bool trust_git_config) {
    const std::string of_gh = environment("GH_REPO");
    const std::string of_run = environment("GITHUB_REPOSITORY");
    ReleasePlace place;
    if (!named.empty()) {
        if (!is_repository(named)) {
            throw bad_usage(fmt::format("'{}' is no repository", printable(named)), "expected OWNER/NAME");
        }
        place.repository = named;
    } else if (!of_gh.empty()) {
        place = parse_place(of_gh, " in GH_REPO");
    } else if (is_repository(of_run)) {
        place.repository = of_run;
    } else {
        place = place_of_remote(trust_git_config);
    }
    const bool by_remote = named.empty() && of_gh.empty() && !is_repository(of_run);
    const std::string of_user = lower_case(environment("GH_HOST"));
    const std::string of_server = parse_git_address(environment("GITHUB_SERVER_URL")).host;
    if (!of_user.empty() && !is_host(of_user)) {
        throw bad_usage(fmt::format("'{}' in GH_HOST is no name of a server", printable(of_user)),
                        "expected a name such as github.example.org");
    }
    if (place.host.empty() || by_remote) {
        place.host = !of_user.empty()     ? of_user
                     : !of_server.empty() ? of_server
                     : by_remote          ? place.host
                                          : "github.com";
    }
    return place;
}

AssetList ask_gh(const ReleasePlace& place, const std::vector<std::string>& packages) {
    Releases releases(place);
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
