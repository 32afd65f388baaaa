// gh: GitHub's own program, asked for the assets of a farm's releases. It brings the credentials of the machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/assets.hpp"

namespace wheelarch {

// The assets of the releases `<package>-latest`. `repository` is OWNER/NAME, or empty for the one that gh finds in the
// working folder or in $GH_REPO. A release that does not exist has no assets, once the repository itself has answered.
// Throws an Error (exit 3) with gh's own words for anything else: no gh, no token, no answer, half a list.
AssetList ask_gh(const std::string& repository, const std::vector<std::string>& packages);

// Is it OWNER/NAME?
bool is_repository(std::string_view text);

}  // namespace wheelarch
