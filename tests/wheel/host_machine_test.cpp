#include "wheel/host_machine.hpp"

#include <doctest/doctest.h>

#include "support/elf_builder.hpp"
#include "support/pe_builder.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_builder.hpp"

namespace wheelarch {
namespace {

const std::string kX86_64 = build_elf({});
const std::string kAarch64 = build_elf({.machine = 183});
const std::string kHexagon = build_elf({.machine = 164});
const std::string kDll = build_pe({});
const std::string kDllArm64 = build_pe({.machine = 0xaa64});
const std::string kDll32 = build_pe({.is64 = false, .machine = 0x014c});

// The findings about a wheel for `platform` with these libraries: `path: message` each.
std::string check(const std::string& platform, const std::vector<ZipEntry>& entries,
                  const InventoryOptions& options = {}) {
    const TemporaryFolder folder;
    const std::string name = "pkg-1.0-cp312-cp312-" + platform + ".whl";
    std::string text;
    const Inventory inventory = take_inventory(folder.write(name, build_zip({.entries = entries})), options);
    for (const Finding& finding : check_host_machine(inventory, parse_wheel_name(name))) {
        CHECK(finding.rule == "host-machine");
        CHECK(finding.severity == Severity::error);
        CHECK(finding.fix ==
              "build it for that platform, or give the wheel the platform tag that it is for (`wheel tags "
              "--platform-tag`); --exclude it if it is there on purpose");
        text += finding.place + ": " + finding.message + "\n";
    }
    return text;
}

TEST_CASE("libraries of the machine that the tag promises") {
    CHECK(check("linux_x86_64", {{.name = "pkg/_C.so", .content = kX86_64}}) == "");
    CHECK(check("manylinux2014_aarch64.manylinux_2_17_aarch64", {{.name = "pkg/_C.so", .content = kAarch64}}) == "");
    CHECK(check("win_amd64", {{.name = "pkg/_C.pyd", .content = kDll}}) == "");
    CHECK(check("win_arm64", {{.name = "pkg/_C.pyd", .content = kDllArm64}}) == "");
    CHECK(check("win32", {{.name = "pkg/_C.pyd", .content = kDll32}}) == "");
    CHECK(check("macosx_11_0_universal2",
                {{.name = "pkg/a.so", .content = kX86_64}, {.name = "pkg/b.so", .content = kAarch64}}) == "");
}

TEST_CASE("libraries of another machine") {
    CHECK(check("linux_aarch64", {{.name = "pkg/_C.cpython-312-x86_64-linux-gnu.so", .content = kX86_64},
                                  {.name = "pkg/libb.so.1.2", .content = kAarch64}}) ==
          "pkg/_C.cpython-312-x86_64-linux-gnu.so: built for x86-64, but the platform tag of the wheel is "
          "linux_aarch64\n");
    CHECK(check("manylinux2014_x86_64.manylinux_2_17_x86_64", {{.name = "pkg/liba.so.1.2", .content = kAarch64}}) ==
          "pkg/liba.so.1.2: built for aarch64, but the platform tag of the wheel is "
          "manylinux2014_x86_64.manylinux_2_17_x86_64\n");
    CHECK(
        check("win_amd64", {{.name = "pkg/A.DLL", .content = kDllArm64}, {.name = "pkg/_C.pyd", .content = kDll32}}) ==
        "pkg/A.DLL: built for aarch64, but the platform tag of the wheel is win_amd64\n"
        "pkg/_C.pyd: built for x86, but the platform tag of the wheel is win_amd64\n");
}

TEST_CASE("libraries of another system") {
    CHECK(check("win_amd64", {{.name = "pkg/_C.so", .content = kX86_64}}) ==
          "pkg/_C.so: an ELF library, but the platform tag of the wheel is win_amd64\n");
    CHECK(check("manylinux_2_28_x86_64", {{.name = "pkg/_C.pyd", .content = kDll}}) ==
          "pkg/_C.pyd: a PE library, but the platform tag of the wheel is manylinux_2_28_x86_64\n");
    CHECK(check("win_amd64", {{.name = "pkg/_C.pyd", .content = kDll}, {.name = "pkg/libx.so", .content = kX86_64}}) ==
          "");
}

TEST_CASE("what says by its path that it is for another machine") {
    CHECK(check("linux_x86_64", {{.name = "pkg/aarch64/liba.so", .content = kAarch64},
                                 {.name = "pkg/attach_x86.dll", .content = kDll32}}) == "");
    CHECK(check("linux_aarch64", {{.name = "pkg/linux-x86_64/liba.so", .content = kX86_64}}) == "");
    CHECK(check("win_amd64", {{.name = "pkg/libaudioarm64.dll", .content = kDllArm64},
                              {.name = "pkg/libaudio32bit.dll", .content = kDll32}}) == "");
    // Near misses: an extension module, a longer word, another machine's name.
    CHECK(check("linux_aarch64", {{.name = "x86_64/_C.abi3.so", .content = kX86_64}}) != "");
    CHECK(check("win_amd64", {{.name = "pkg/x86_64/a.dll", .content = kDll32}}) != "");
    CHECK(check("win_amd64", {{.name = "pkg/x86y/a.dll", .content = kDll32}}) != "");
}

TEST_CASE("what is not judged") {
    CHECK(check("linux_x86_64", {{.name = "pkg/tool", .content = kAarch64},
                                 {.name = "pkg/a.o", .content = kAarch64},
                                 {.name = "pkg/libskel.so", .content = kHexagon}}) == "");
    CHECK(check("linux_x86_64", {{.name = "pkg/a.so", .content = kAarch64}}, {.exclude = {"pkg/a.so"}}) == "");
    CHECK(check("emscripten_4_0_9_wasm32", {{.name = "pkg/a.so", .content = kAarch64}}) == "");
}

TEST_CASE("a wheel for any platform") {
    CHECK(check("any", {{.name = "pkg/a.py", .content = "x"}}) == "");
    CHECK(check("any", {{.name = "pkg/_C.so", .content = kX86_64}}) ==
          "pkg/_C.so: built for x86-64, but the platform tag of the wheel is any\n");
    CHECK(check("any", {{.name = "pkg/a.so", .content = kX86_64}, {.name = "pkg/b.so", .content = kX86_64}}) ==
          "pkg/a.so: built for x86-64, as 1 other is, but the platform tag of the wheel is any\n");
    CHECK(check("any", {{.name = "pkg/a.so", .content = kX86_64},
                        {.name = "pkg/b.so", .content = kX86_64},
                        {.name = "pkg/c.so", .content = kX86_64}}) ==
          "pkg/a.so: built for x86-64, as 2 others are, but the platform tag of the wheel is any\n");
    // It brings them for several.
    CHECK(check("any", {{.name = "pkg/a.so", .content = kX86_64}, {.name = "pkg/b.so", .content = kAarch64}}) == "");
    CHECK(check("any", {{.name = "pkg/a.so", .content = kX86_64}, {.name = "pkg/a.dll", .content = kDll}}) == "");
    CHECK(check("any", {{.name = "pkg/_C.cp312-win_amd64.pyd", .content = kDll},
                        {.name = "pkg/attach_x86.dll", .content = kDll32}}) == "");
    CHECK(check("any", {{.name = "pkg/linux-x86_64/a.so", .content = kX86_64}}) == "");
}

}  // namespace
}  // namespace wheelarch
