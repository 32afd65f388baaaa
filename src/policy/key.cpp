#include "policy/key.hpp"

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "policy/asset_name.hpp"

namespace wheelarch {

std::string key_text(const Farm& farm, const Package& package, const Cell& cell) {
    const WantedName wanted = wanted_name(package, cell);
    const std::string version = wanted.version.value_or("*");
    // A version with a local part of its own keeps it.
    const char join = version.find('+') == std::string::npos ? '+' : '.';
    return fmt::format("{}-{}{}cu{}torch{}-cp{}-{}@epoch{}", wanted.package, version, join, wanted.cuda,
                       wanted.torch.value_or("*"), without_dots(wanted.python), wanted.platform,
                       to_text(epochs(farm, package)));
}

ExistsKey exists_key(const Farm& farm, const Package& package, const Cell& cell) {
    ExistsKey key;
    key.text = key_text(farm, package, cell);
    key.sha256 = to_hex(sha256_of(key.text));
    return key;
}

bool is_wheel_of(std::string_view asset, const Package& package, const Cell& cell) {
    const auto name = read_asset_name(asset);
    return name && serves(*name, wanted_name(package, cell));
}

}  // namespace wheelarch
