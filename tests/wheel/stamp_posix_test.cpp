#include <filesystem>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/temporary_folder.hpp"
#include "support/wheel_builder.hpp"
#include "wheel/inventory.hpp"
#include "wheel/stamp.hpp"

namespace wheelarch {
namespace {

constexpr char kStamp[] = "{\"schema\": 1}\n";
const std::string kFile = kWheelName;

Stamped stamp_it(const std::filesystem::path& path) {
    return stamp_wheel(take_inventory(path, {.hash_members = true}), kStamp, std::nullopt);
}

TEST_CASE("the file keeps its mode, and a link to it stays a link") {
    const TemporaryFolder folder;
    const auto path = folder.write("real/" + kFile, build_wheel({}));
    std::filesystem::permissions(path, std::filesystem::perms(0640));
    std::filesystem::create_symlink(path, folder.path() / kFile);
    CHECK(stamp_it(folder.path() / kFile).changed);
    CHECK(std::filesystem::is_symlink(folder.path() / kFile));
    CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
    CHECK(read_stamp(path) == kStamp);
}

TEST_CASE("a folder that cannot be written") {
    const TemporaryFolder folder;
    const auto path = folder.write("locked/" + kFile, build_wheel({}));
    std::filesystem::permissions(path.parent_path(), std::filesystem::perms(0555));
    if (::access(path.parent_path().c_str(), W_OK) == 0) {
        MESSAGE("skipped: permissions do not bind this user");
    } else {
        CHECK(error_text([&] { stamp_it(path); }) ==
              kFile +
                  ": cannot write beside the file: Permission denied\nfix: check that its folder can be written and "
                  "has space for the file once more");
    }
    std::filesystem::permissions(path.parent_path(), std::filesystem::perms(0755));
}

}  // namespace
}  // namespace wheelarch
