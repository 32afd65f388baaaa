// Where the farms that tests read are.
#pragma once

#include <filesystem>
#include <string>

namespace wheelarch {

// tests/farm/NAME: `flat` or `split`.
inline std::filesystem::path farm_folder(const std::string& name) {
    return std::filesystem::path(__FILE__).parent_path().parent_path() / "farm" / name;
}

}  // namespace wheelarch
