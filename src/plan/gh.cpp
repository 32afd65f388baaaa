#include "plan/gh.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kInstead[] = "or save the list in a step of your own and give it with --existing FILE";

std::string_view trimmed_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \r\n") + 1);
}

class Gh {
public:
    explicit Gh(const std::string& repository) : program_(find_on_path("gh")) {
        if (program_.empty()) {
            throw unchecked("gh was not found, so nobody can say which wheels exist",
                            std::string("install it (apt-get install gh), ") + kInstead);
        }
        if (!repository.empty() && !is_repository(repository)) {
            throw bad_usage(fmt::format("'{}' is no repository", printable(repository)), "expected OWNER/NAME");
        }
        base_ = "repos/" + (repository.empty() ? "{owner}/{repo}" : repository);
    }

    AssetList assets_of(const std::string& package) {
        const std::string tag = package + "-latest";
        const ProcessResult release = call({base_ + "/releases/tags/" + tag});
        if (is_not_found(release)) {
            check_repository();
            return {};
        }
        const json::object object = parse_release(succeeded(release, tag), tag);
        const AssetList all = list_pages(object, tag);
        check_complete(all, object, tag);
        return all;
    }

private:
    ProcessResult call(std::vector<std::string> arguments) const {
        constexpr std::uint64_t kMostOutput = std::uint64_t{256} << 20;
        arguments.insert(arguments.begin(), "api");
        // A token that the action was given, unless gh has one of its own.
        EnvironmentChanges changes = {{"GH_PROMPT_DISABLED", "1"}, {"GH_NO_UPDATE_NOTIFIER", "1"}, {"NO_COLOR", "1"}};
        if (environment("GH_TOKEN").empty() && !environment("WHEELARCH_TOKEN").empty()) {
            changes["GH_TOKEN"] = environment("WHEELARCH_TOKEN");
        }
        return run_program(program_, arguments, {std::chrono::seconds(300), kMostOutput}, changes);
    }

    // gh ends its words with the status; what comes before is the server's.
    static bool is_not_found(const ProcessResult& result) {
        return result.exit_code == 1 && !result.timed_out && !result.crashed &&
               trimmed_end(result.error).ends_with("(HTTP 404)");
    }

    static const std::string& succeeded(const ProcessResult& result, const std::string& what) {
        const std::string words = result.timed_out ? "did not end in time"
                                  : result.cut     ? "printed more than is read"
                                  : result.crashed ? "crashed"
                                                   : fmt::format("failed with exit code {}: {}", result.exit_code,
                                                                 printable(trimmed_end(result.error).substr(0, 500)));
        if (result.timed_out || result.cut || result.crashed || result.exit_code != 0) {
            throw unchecked(
                fmt::format("gh {}, asked for {}", words, what),
                fmt::format(
                    "name the repository with --repo OWNER/NAME, give gh a token in GH_TOKEN that may read it, {}",
                    kInstead));
        }
        return result.output;
    }

    // Whoever may not see a repository is told that it is not there, as for a release that does not exist.
    void check_repository() {
        if (!repository_answered_) {
            succeeded(call({base_}), "the repository");
            repository_answered_ = true;
        }
    }

    static json::object parse_release(const std::string& text, const std::string& tag) {
        boost::system::error_code failure;
        const json::value value = json::parse(text, failure);
        const bool has_id = !failure && value.is_object() && value.as_object().contains("id") &&
                            value.at("id").is_int64() && value.as_object().contains("assets");
        if (!has_id) {
            throw unchecked(fmt::format("gh's answer about the release {} is no release", tag),
                            std::string("check GH_HOST and the proxy, ") + kInstead);
        }
        return value.as_object();
    }

    AssetList list_pages(const json::object& release, const std::string& tag) const {
        const std::string path = fmt::format("{}/releases/{}/assets?per_page=100", base_, release.at("id").as_int64());
        return inside("gh's list of the release " + tag,
                      [&] { return parse_asset_json(succeeded(call({"--paginate", path}), "the assets of " + tag)); });
    }

    // The release names its assets too; a list that has fewer was cut short on its way.
    static void check_complete(const AssetList& listed, const json::object& release, const std::string& tag) {
        json::value embedded = json::object{{"assets", release.at("assets")}};
        const AssetList expected = parse_asset_json(json::serialize(embedded));
        const std::size_t found = listed.names.size() + listed.unfinished.size();
        const std::size_t least = expected.names.size() + expected.unfinished.size();
        if (found < least) {
            throw unchecked(
                fmt::format("gh listed {} of the release {}, which has {}", count_of(found, "asset"), tag, least),
                "try again: the list was cut short, or assets were being deleted");
        }
    }

    std::filesystem::path program_;
    std::string base_;
    bool repository_answered_ = false;
};

}  // namespace

bool is_repository(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto is_part = [](std::string_view part) {
        return !part.empty() && part.front() != '-' &&
               part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
                   std::string_view::npos;
    };
    return slash != std::string_view::npos && is_part(text.substr(0, slash)) && is_part(text.substr(slash + 1));
}

AssetList ask_gh(const std::string& repository, const std::vector<std::string>& packages) {
    Gh gh(repository);
    AssetList all;
    for (const std::string& package : packages) {
        all.add(gh.assets_of(package));
    }
    return all;
}

}  // namespace wheelarch
