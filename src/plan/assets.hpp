// Assets: what hangs on the releases of a farm, as `gh` or a list of names tells it.
//
// An answer that is no list of assets is an Error (exit 3), never an empty list: it would rebuild everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/finding.hpp"

namespace wheelarch {

// What a release states of one asset.
struct AssetFacts {
    std::string sha256;       // lowercase hex; empty: not known
    std::string uploaded_at;  // `2026-11-30T12:34:56Z`; empty: not known
};

struct AssetList {
    std::vector<std::string> names;
    // By name, where the release states a digest. Several releases may have a file of one name.
    std::unordered_multimap<std::string, AssetFacts> facts = {};
    // Names that are taken, but whose upload has not finished or failed: they do not exist.
    std::vector<std::string> unfinished = {};

    void add(const AssetList& other);
};

// `text` is one of: nothing (nothing exists); names, one a line; JSON as gh prints it. A list that is not empty must
// name a wheel.
AssetList parse_assets(std::string_view text);

// JSON, several values one after the other where it went through pages: a list of names, of assets (`name`, `state`,
// `size`), or of releases with their `assets`, or one release.
AssetList parse_asset_json(std::string_view text);

// One asset of a release, as GitHub's API tells it.
struct ReleaseAsset {
    std::string release;  // the tag
    std::string name;
    std::int64_t id = 0;  // the content never changes under it: what is uploaded anew gets another
    std::uint64_t size = 0;
    bool uploaded = true;     // to the end
    std::string sha256;       // lowercase hex; empty if GitHub does not say, as of what was uploaded before mid 2025
    std::string uploaded_at;  // a time, as above
    std::string address;      // of the web, where public ones are had without the API; may be empty
};

// The same JSON, but of assets only, each with its `id` and `size`. If `release` is empty, the address tells it.
std::vector<ReleaseAsset> parse_release_assets(std::string_view text, const std::string& release);

// A warning (`unfinished-upload`) about what is not uploaded to the end; nothing if `names` is empty.
std::vector<Finding> unfinished_uploads(const std::vector<std::string>& names);

}  // namespace wheelarch
