// Policy at: the farm's policy as another commit of its repository has it.
#pragma once

#include <filesystem>
#include <string>

#include "policy/farm.hpp"

namespace wheelarch {

struct PolicyAt {
    std::string commit;
    Farm farm;
};

// `revision` is what git takes for a commit: `main`, `origin/main`, `HEAD~1`, an id. `folder` is the farm's, in a work
// tree. Throws an Error: exit 3 if there is no repository, or no such commit in it (a shallow clone has few), exit 2 as
// read_farm() does.
PolicyAt policy_at(const std::filesystem::path& folder, const std::string& revision);

}  // namespace wheelarch
