// Assets: what hangs on the releases of a farm, as `gh` or a list of names tells it.
//
// An answer that is no list of assets is an Error (exit 3), never an empty list: it would rebuild everything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct AssetList {
    std::vector<std::string> names;
    // Names that are taken, but whose upload has not finished or failed: they do not exist.
    std::vector<std::string> unfinished;

    void add(const AssetList& other);
};

// `text` is one of: nothing (nothing exists); names, one a line; JSON as gh prints it. A list that is not empty must
// name a wheel.
AssetList parse_assets(std::string_view text);

// JSON, several values one after the other where it went through pages: a list of names, of assets (`name`, `state`,
// `size`), or of releases with their `assets`, or one release.
AssetList parse_asset_json(std::string_view text);

}  // namespace wheelarch
