#include "plan/assets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/stream_parser.hpp>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kExpected[] =
    "expected names, one a line, or JSON as `gh release view TAG --json assets` or `gh api` prints it; an empty file "
    "means that nothing exists";
constexpr char kExpectedAssets[] =
    "expected the assets of releases as `gh api \"repos/OWNER/NAME/releases/ID/assets\" --paginate` prints them: names "
    "alone, and what `gh release view` prints, do not say which file is meant";
constexpr std::size_t kMostAssets = 1'000'000;

[[noreturn]] void no_list(const std::string& problem) {
    throw unchecked(problem, kExpected);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::string text_or_empty(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

// `sha256:` and the digest in hex; other kinds of digests may come.
std::string sha256_of_asset(const json::object& object) {
    constexpr std::string_view kKind = "sha256:";
    const std::string digest = text_or_empty(object, "digest");
    return digest.starts_with(kKind) && digest_from_hex(digest.substr(kKind.size())) ? digest.substr(kKind.size())
                                                                                     : std::string();
}

// `updated_at`, as the API calls it, or `updatedAt`, as gh does.
std::string upload_time(const json::object& object) {
    constexpr std::size_t kLength = 20;
    for (const char* key : {"updated_at", "updatedAt", "created_at", "createdAt"}) {
        std::string time = text_or_empty(object, key);
        if (time.size() == kLength && time.back() == 'Z') {
            return time;
        }
    }
    return {};
}

class JsonReader {
public:
    // What is an object, and not only a name, goes into `objects` too, if that is given.
    explicit JsonReader(std::vector<json::object>* objects = nullptr) : objects_(objects) {}

    void read(const json::value& value) {
        if (value.is_array()) {
            for (const json::value& item : value.as_array()) {
                read_item(item);
            }
        } else if (value.is_object()) {
            read_object(value.as_object());
        } else {
            no_list("it is JSON, but no list of assets");
        }
    }

    AssetList take() { return std::move(list_); }

private:
    void read_item(const json::value& item) {
        if (item.is_string()) {
            add(std::string(item.as_string()), true);
        } else if (item.is_array()) {  // pages, as `gh api --paginate --slurp` prints them
            read(item);
        } else if (item.is_object() && item.as_object().contains("assets")) {
            read_object(item.as_object());
        } else if (item.is_object()) {
            read_asset(item.as_object());
        } else {
            no_list("an item of the list is no asset");
        }
    }

    void read_object(const json::object& object) {
        const json::value* assets = object.if_contains("assets");
        if (assets != nullptr && assets->is_array()) {
            read(*assets);
            return;
        }
        const json::value* message = object.if_contains("message");
        if (message != nullptr && message->is_string()) {
            no_list(fmt::format("it is an error of the API: {}", printable(std::string(message->as_string()))));
        }
        no_list("it is a JSON object without `assets`");
    }

    void read_asset(const json::object& asset) {
        const json::value* name = asset.if_contains("name");
        if (name == nullptr || !name->is_string() || asset.contains("tag_name") || asset.contains("tagName")) {
            no_list("an item of the list is no asset: it has no `name`, or is a release without its `assets`");
        }
        const json::value* state = asset.if_contains("state");
        const json::value* size = asset.if_contains("size");
        const bool uploaded = state == nullptr || (state->is_string() && state->as_string() == "uploaded");
        const bool finished = uploaded && (size == nullptr || *size != 0);
        if (std::string digest = sha256_of_asset(asset); finished && !digest.empty()) {
            list_.facts.emplace(std::string(name->as_string()), AssetFacts{std::move(digest), upload_time(asset)});
        }
        add(std::string(name->as_string()), finished);
        if (objects_ != nullptr) {
            objects_->push_back(asset);
        }
    }

    void add(std::string name, bool finished) {
        if (list_.names.size() + list_.unfinished.size() >= kMostAssets) {
            no_list(fmt::format("more than {} assets", kMostAssets));
        }
        (finished ? list_.names : list_.unfinished).push_back(std::move(name));
    }

    std::vector<json::object>* objects_;
    AssetList list_;
};

// JSON values one after the other.
AssetList read_all(std::string_view text, JsonReader reader) {
    while (!text.empty()) {
        json::stream_parser parser;
        boost::system::error_code failure;
        const std::size_t used = parser.write_some(text.data(), text.size(), failure);
        if (!failure && !parser.done()) {
            parser.finish(failure);
        }
        if (failure) {
            no_list(fmt::format("it is no JSON, or cut short: {}", failure.message()));
        }
        reader.read(parser.release());
        text = trimmed(text.substr(used));
    }
    return reader.take();
}

// `https://github.com/OWNER/NAME/releases/download/TAG/FILE`; empty for anything else.
std::string tag_in(std::string_view address) {
    constexpr std::string_view kBefore = "/releases/download/";
    const std::size_t at = address.find(kBefore);
    const std::size_t end = at == std::string_view::npos ? at : address.find('/', at + kBefore.size());
    return end == std::string_view::npos ? ""
                                         : std::string(address.substr(at + kBefore.size(), end - at - kBefore.size()));
}

ReleaseAsset release_asset(const json::object& object, const std::string& release) {
    const json::value* id = object.if_contains("id");
    const json::value* size = object.if_contains("size");
    if (id == nullptr || !id->is_int64() || size == nullptr || !size->is_int64() || size->as_int64() < 0) {
        throw unchecked(fmt::format("{} has no numeric `id`, or no `size`", printable(text_or_empty(object, "name"))),
                        kExpectedAssets);
    }
    ReleaseAsset asset;
    asset.name = std::string(object.at("name").as_string());
    asset.id = id->as_int64();
    asset.size = static_cast<std::uint64_t>(size->as_int64());
    asset.uploaded = asset.size > 0 && (!object.contains("state") || text_or_empty(object, "state") == "uploaded");
    asset.sha256 = sha256_of_asset(object);
    asset.uploaded_at = upload_time(object);
    asset.address = text_or_empty(object, "browser_download_url");
    asset.release = release.empty() ? tag_in(asset.address) : release;
    return asset;
}

AssetList parse_lines(std::string_view text) {
    AssetList list;
    while (!text.empty()) {
        const std::string_view line = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        if (line.find_first_of(" \t<>\"'") != std::string_view::npos) {
            no_list(fmt::format("the line '{}' is no name of an asset", printable(line.substr(0, 100))));
        }
        if (!line.empty()) {
            list.names.emplace_back(line);
        }
        if (list.names.size() > kMostAssets) {
            no_list(fmt::format("more than {} lines", kMostAssets));
        }
    }
    return list;
}

// A list of releases or tags has names too, and an error may be one word.
void require_wheel(const AssetList& list) {
    const auto is_wheel = [](const std::string& name) { return name.ends_with(".whl"); };
    if (std::none_of(list.names.begin(), list.names.end(), is_wheel) &&
        std::none_of(list.unfinished.begin(), list.unfinished.end(), is_wheel)) {
        no_list(fmt::format("none of the {} that it names is a wheel",
                            count_of(list.names.size() + list.unfinished.size(), "asset")));
    }
}

}  // namespace

void AssetList::add(const AssetList& other) {
    names.insert(names.end(), other.names.begin(), other.names.end());
    facts.insert(other.facts.begin(), other.facts.end());
    unfinished.insert(unfinished.end(), other.unfinished.begin(), other.unfinished.end());
}

AssetList parse_asset_json(std::string_view text) {
    return read_all(text, JsonReader());
}

std::vector<ReleaseAsset> parse_release_assets(std::string_view text, const std::string& release) {
    if (trimmed(text).empty()) {
        throw unchecked("it is empty", kExpectedAssets);
    }
    std::vector<json::object> objects;
    const AssetList list = read_all(text, JsonReader(&objects));
    if (list.names.size() + list.unfinished.size() != objects.size()) {
        throw unchecked("an item of the list is a name alone", kExpectedAssets);
    }
    std::vector<ReleaseAsset> assets;
    std::transform(objects.begin(), objects.end(), std::back_inserter(assets),
                   [&](const json::object& object) { return release_asset(object, release); });
    return assets;
}

std::vector<Finding> unfinished_uploads(const std::vector<std::string>& names) {
    if (names.empty()) {
        return {};
    }
    return {{"unfinished-upload",
             Severity::warning,
             {},
             fmt::format("{} not uploaded to the end and does not count: {}",
                         names.size() == 1 ? "1 asset was" : fmt::format("{} assets were", names.size()),
                         printable(enumerate(names, 3))),
             "delete them from the release, or their names stay taken"}};
}

AssetList parse_assets(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    text = trimmed(text);
    if (text.empty()) {
        return {};
    }
    const bool is_json = text.front() == '[' || text.front() == '{' || text.front() == '"' || text == "null";
    AssetList list = is_json ? parse_asset_json(text) : parse_lines(text);
    if (!list.names.empty() || !list.unfinished.empty()) {
        require_wheel(list);
    }
    return list;
}

}  // namespace wheelarch
