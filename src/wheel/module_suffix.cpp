#include "wheel/module_suffix.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

// `312` and `313t` of `.cpython-312-x86_64-linux-gnu.so`, `.cp313t-win_amd64.pyd`; empty for other suffixes.
std::string python_of(std::string_view suffix) {
    for (const std::string_view start : {".cpython-", ".cp"}) {
        if (suffix.starts_with(start)) {
            const std::string_view rest = suffix.substr(start.size());
            const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
            if (digits == 0) {
                return {};
            }
            return std::string(rest.substr(0, digits)) + (rest.substr(digits).starts_with("t-") ? "t" : "");
        }
    }
    return {};
}

// Of the Pythons that one pair of tags names. What is not known to fail is taken to work.
bool can_import(std::string_view suffix, std::string_view python_tag, std::string_view abi_tag) {
    const std::string of = python_of(suffix);
    const bool is_stable = suffix == ".abi3.so";
    if (!python_tag.starts_with("cp") || (of.empty() && !is_stable)) {
        return true;
    }
    const std::string named(python_tag.substr(2));
    const bool free_threaded = abi_tag.ends_with('t');
    if (is_stable) {
        return !free_threaded;
    }
    return of == named + (free_threaded ? "t" : "") || (abi_tag == "none" && of == named + "t");
}

bool can_import(std::string_view suffix, const WheelName& name) {
    return std::any_of(name.python_tags.begin(), name.python_tags.end(), [&](const std::string& python) {
        return std::any_of(name.abi_tags.begin(), name.abi_tags.end(), [&](const std::string& abi) {
            return can_import(suffix, lower_case(python), lower_case(abi));
        });
    });
}

struct Module {
    std::string path;  // of its first file
    bool fits = false;
};

}  // namespace

std::vector<Finding> check_module_suffixes(const Inventory& inventory, const WheelName& name) {
    std::map<std::string, Module> modules;
    for (const Member& member : inventory.members) {
        const std::size_t file = member.path.rfind('/') + 1;
        const std::size_t dot = member.path.find('.', file);
        const std::string_view suffix = dot == std::string::npos ? "" : std::string_view(member.path).substr(dot);
        if (member.excluded || (!suffix.ends_with(".so") && !suffix.ends_with(".pyd"))) {
            continue;
        }
        Module& module = modules[member.path.substr(0, dot)];
        module.path = module.path.empty() ? member.path : module.path;
        module.fits = module.fits || can_import(suffix, name);
    }
    std::vector<Finding> findings;
    for (const auto& [path, module] : modules) {
        if (!module.fits) {
            findings.push_back(
                {"module-suffix", Severity::error, module.path,
                 fmt::format("the wheel is tagged {}-{}, and no Python of these tags imports a file of this "
                             "name",
                             fmt::join(name.python_tags, "."), fmt::join(name.abi_tags, ".")),
                 "build the module for that Python, or give the wheel the tags that it is for; --exclude "
                 "it if nothing imports it"});
        }
    }
    return findings;
}

}  // namespace wheelarch
