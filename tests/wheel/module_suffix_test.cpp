#include "wheel/module_suffix.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

// The paths of the modules that cannot be imported.
std::string check(const std::vector<std::string>& paths, const std::string& tags) {
    Inventory inventory;
    for (const std::string& path : paths) {
        inventory.members.emplace_back().path = path;
    }
    std::string text;
    for (const Finding& finding : check_module_suffixes(inventory, parse_wheel_name("p-1-" + tags + ".whl"))) {
        CHECK(finding.rule == "module-suffix");
        text += finding.place + " ";
    }
    return text;
}

TEST_CASE("modules that no Python of the tags can import") {
    const std::string of312 = "p/_C.cpython-312-x86_64-linux-gnu.so";
    CHECK(check({of312}, "cp312-cp312-linux_x86_64") == "");
    CHECK(check({of312}, "cp311-cp311-linux_x86_64") == of312 + " ");
    CHECK(check({of312}, "cp39-abi3-linux_x86_64") == of312 + " ");
    CHECK(check({of312}, "cp311.cp312-none-linux_x86_64") == "");
    CHECK(check({of312}, "py3-none-linux_x86_64") == "");
    CHECK(check({of312, "p/_C.cpython-311-x86_64-linux-gnu.so"}, "cp311-cp311-linux_x86_64") == "");
    CHECK(check({"p/_C.abi3.so"}, "cp313-cp313t-linux_x86_64") == "p/_C.abi3.so ");
    CHECK(check({"p/_C.abi3.so", "p/libx.so", "p/y.so.1"}, "cp39-abi3-linux_x86_64") == "");
    CHECK(check({"p/_C.cp312-win_amd64.pyd"}, "cp313-cp313-win_amd64") == "p/_C.cp312-win_amd64.pyd ");
    CHECK(check({"p/_C.pyd", "p/x.dll"}, "cp313-cp313-win_amd64") == "");
    CHECK(check({"p/_C.cpython-313t-x86_64-linux-gnu.so"}, "cp313-cp313t-linux_x86_64") == "");
}

}  // namespace
}  // namespace wheelarch
