#include "plan/assets.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

using Names = std::vector<std::string>;

std::string error_of(const std::string& text) {
    try {
        return fmt::format("{} names", parse_assets(text).names.size());
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        CHECK(error.fix() ==
              "expected names, one a line, or JSON as `gh release view TAG --json assets` or `gh api` prints it; an "
              "empty file means that nothing exists");
        return error.what();
    }
}

}  // namespace

TEST_CASE("assets: nothing is an empty list") {
    for (const std::string text : {"", " \r\n\t\n", "[]", "{\"assets\": []}", "[[], []]", "[][]", "\xef\xbb\xbf"}) {
        CAPTURE(text);
        const AssetList list = parse_assets(text);
        CHECK(list.names.empty());
        CHECK(list.unfinished.empty());
    }
}

TEST_CASE("assets: names, one a line") {
    CHECK(parse_assets("a.whl").names == Names{"a.whl"});
    CHECK(parse_assets("\xef\xbb\xbf  a.whl  \r\n\r\nSHA256SUMS\n").names == Names{"a.whl", "SHA256SUMS"});
}

TEST_CASE("assets: JSON in all its shapes") {
    const Names both = {"a.whl", "b.whl"};
    for (const std::string text :
         {R"(["a.whl", "b.whl"])", R"([{"name": "a.whl"}, {"name": "b.whl"}])",
          R"({"assets": [{"name": "a.whl", "state": "uploaded", "size": 1}, {"name": "b.whl"}], "message": "x"})",
          R"([{"name": "a.whl"}][{"name": "b.whl"}])", "[{\"name\": \"a.whl\"}]\n\n[{\"name\": \"b.whl\"}]\n",
          R"([[{"name": "a.whl"}], [{"name": "b.whl"}]])",
          R"([{"name": "v1", "tag_name": "t", "assets": [{"name": "a.whl"}]}, {"assets": [{"name": "b.whl"}]}])",
          R"({"assets": ["a.whl"]} {"assets": ["b.whl"]})"}) {
        CAPTURE(text);
        CHECK(parse_assets(text).names == both);
    }
}

TEST_CASE("assets: what is not uploaded to the end does not exist") {
    for (const std::string fields :
         {R"("state": "starter")", R"("state": "open")", R"("state": null)", R"("state": 1)", R"("size": 0)",
          R"("state": "uploaded", "size": 0)", R"("state": "starter", "size": 10)"}) {
        CAPTURE(fields);
        const AssetList list = parse_assets(R"([{"name": "a.whl", )" + fields + "}]");
        CHECK(list.names.empty());
        CHECK(list.unfinished == Names{"a.whl"});
    }
}

TEST_CASE("assets: what is no list of them") {
    CHECK(error_of("<html>") == "the line '<html>' is no name of an asset");
    CHECK(error_of("a.whl\ngh: Not Found\n") == "the line 'gh: Not Found' is no name of an asset");
    CHECK(error_of("a.whl b.whl") == "the line 'a.whl b.whl' is no name of an asset");
    CHECK(error_of("error") == "none of the 1 asset that it names is a wheel");
    CHECK(error_of("null") == "it is JSON, but no list of assets");
    CHECK(error_of("\"a.whl\"") == "it is JSON, but no list of assets");
    CHECK(error_of("[1]") == "an item of the list is no asset");
    CHECK(error_of("[null]") == "an item of the list is no asset");
    CHECK(error_of("{}") == "it is a JSON object without `assets`");
    CHECK(error_of(R"({"assets": {}})") == "it is a JSON object without `assets`");
    CHECK(error_of(R"({"message": "Not\nFound"})") == R"(it is an error of the API: Not\nFound)");
    CHECK(error_of(R"(["a.whl"]{"message": "late"})") == "it is an error of the API: late");
    const std::string no_asset =
        "an item of the list is no asset: it has no `name`, or is a release without its `assets`";
    CHECK(error_of("[{}]") == no_asset);
    CHECK(error_of(R"([{"name": 1}])") == no_asset);
    CHECK(error_of(R"([{"name": "a.whl", "tag_name": "t"}])") == no_asset);
    CHECK(error_of(R"([{"name": "a.whl", "tagName": "t"}])") == no_asset);
    CHECK(error_of(R"([{"name": "v1"}, {"name": "v2"}])") == "none of the 2 assets that it names is a wheel");
    CHECK(error_of("a.whl" + std::string(100, ' ') + std::string(200, 'x')).size() < 200);
}

TEST_CASE("assets: JSON that is cut short is no list") {
    const std::string text = R"([{"name": "a.whl", "state": "uploaded", "size": 10}, {"name": "b.whl"}])";
    REQUIRE(error_of(text) == "2 names");
    for (std::size_t length = 1; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK(error_of(text.substr(0, length)) == "it is no JSON, or cut short: incomplete JSON");
    }
    CHECK(error_of(text + "x") == "it is no JSON, or cut short: syntax error");
    CHECK(error_of(std::string(100'000, '[')) == "it is no JSON, or cut short: too deep");
}

TEST_CASE("assets: a release without wheels is a list, where it is known to be one") {
    CHECK(parse_asset_json(R"([{"name": "SHA256SUMS"}])").names == Names{"SHA256SUMS"});
    CHECK_THROWS_AS(parse_asset_json("a.whl"), Error);
}

TEST_CASE("release assets: what GitHub states of each, over all pages") {
    const std::string sha256(64, 'a');
    const std::string text = fmt::format(
        R"([{{"id": 7, "name": "a.whl", "size": 10, "state": "uploaded", "digest": "sha256:{}",
              "browser_download_url": "https://example.org/o/n/releases/download/a-latest/a.whl"}}]
           [{{"id": 8, "name": "b.whl", "size": 0, "state": "starter"}},
            {{"id": 9, "name": "c.whl", "size": 5, "digest": "sha512:{}", "browser_download_url": 1}}])",
        sha256, sha256);
    const std::vector<ReleaseAsset> assets = parse_release_assets(text, "");
    REQUIRE(assets.size() == 3);
    CHECK(assets[0].release == "a-latest");
    CHECK(assets[0].id == 7);
    CHECK(assets[0].size == 10);
    CHECK(assets[0].uploaded);
    CHECK(assets[0].sha256 == sha256);
    CHECK_FALSE(assets[1].uploaded);
    CHECK(assets[2].uploaded);
    CHECK(assets[2].sha256.empty());
    CHECK(assets[2].release.empty());
    CHECK(assets[2].address.empty());
    CHECK(parse_release_assets(text, "tag")[0].release == "tag");
    CHECK(parse_release_assets("[]", "").empty());
}

TEST_CASE("release assets: what cannot be downloaded is no list") {
    const auto problem = [](const std::string& text) {
        try {
            parse_release_assets(text, "");
        } catch (const Error& error) {
            return error.problem();
        }
        return std::string();
    };
    CHECK(problem(R"(["a.whl"])") == "an item of the list is a name alone");
    CHECK(problem(R"([{"name": "a.whl", "size": 1}])") == "a.whl has no numeric `id`, or no `size`");
    CHECK(problem(R"([{"name": "a.whl", "id": 1, "size": -1}])") == "a.whl has no numeric `id`, or no `size`");
    CHECK(problem(R"([{"name": "a.whl", "id": 1e300, "size": 1}])") == "a.whl has no numeric `id`, or no `size`");
    CHECK(problem("[{") == "it is no JSON, or cut short: incomplete JSON");
}

}  // namespace wheelarch
