// What the name of a release's asset says about the cells whose wheel it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// `flash_attn-2.8.3+cu128torch2.8-cp312-cp312-manylinux_2_28_x86_64.whl`
struct AssetName {
    std::string package;                 // normal form
    std::string version;                 // comparable form, without the part about CUDA and torch: `2.8.3`
    std::string cuda;                    // `128`
    std::string torch;                   // `2.8`, or `28` as older assets have it
    std::vector<std::string> platforms;  // of Cell::platform
    std::vector<std::string> python_tags;
    std::vector<std::string> abi_tags;
};

// None if it is no wheel's name.
std::optional<AssetName> read_asset_name(std::string_view asset);

// The same of a cell; any version will do if there is none, any torch if there is none.
struct WantedName {
    std::string package;
    std::optional<std::string> version;  // normal form, for the key
    std::string release;                 // the same in its comparable form: 1.0 and 1.0.0 are one version
    std::string cuda;
    std::optional<std::string> torch;  // `2.8`
    std::string platform;
    std::string python;
};

WantedName wanted_name(const Package& package, const Cell& cell);

bool serves(const AssetName& asset, const WantedName& wanted);

}  // namespace wheelarch
