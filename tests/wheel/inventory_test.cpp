// Files and wheels, member by member. Who counts as what: inventory_roles_test.cpp.
#include "wheel/inventory.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"
#include "support/pe_builder.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

constexpr const char* kWheel = "pkg-1.0-cp312-cp312-linux_x86_64.whl";

Inventory inventory_of(const std::string& name, const std::string& content, const InventoryOptions& options = {}) {
    const TemporaryFolder folder;
    return take_inventory(folder.write(name, content), options);
}

Inventory wheel_of(const std::vector<ZipEntry>& entries, const InventoryOptions& options = {}) {
    return inventory_of(kWheel, build_zip({.entries = entries}), options);
}

std::string error_of(const std::string& name, const std::string& content) {
    return error_text([&] { inventory_of(name, content); });
}

std::string error_of(const std::vector<ZipEntry>& entries) {
    return error_text([&] { wheel_of(entries); });
}

const std::string kLibrary = library_of({sass(80), ptx(90)});

TEST_CASE("a library on its own is its own only member") {
    const Inventory inventory = inventory_of("_C.so", kLibrary);
    CHECK(inventory.file_name == "_C.so");
    CHECK_FALSE(inventory.is_wheel);
    CHECK(inventory.size == kLibrary.size());
    REQUIRE(inventory.members.size() == 1);
    CHECK(inventory.members[0].path == "_C.so");
    CHECK(inventory.members[0].role == Role::extension);
    CHECK(inventory.members[0].size == kLibrary.size());
    CHECK(to_text(inventory.members[0].archs) == "sm_80 compute_90");
    CHECK(inventory.members[0].images.empty());  // only kept where they are asked for
    CHECK(place_of(inventory, inventory.members[0]) == "_C.so");
    CHECK(to_text(observed(inventory)) == "sm_80 compute_90");
}

TEST_CASE("a library without device code is a host member") {
    const Inventory inventory = inventory_of("_C.so", build_elf({}));
    CHECK(inventory.members.at(0).role == Role::host);
    CHECK(observed(inventory).empty());
}

TEST_CASE("a file that holds no code at all") {
    CHECK(error_of("notes.txt", "text") ==
          "notes.txt: not a file that can hold device code\nfix: give a wheel, .so, .pyd, .dll, .a, .o, .fatbin, "
          ".cubin or .ptx");
    CHECK(error_of("empty.so", "") ==
          "empty.so: named .so, but its content is empty\nfix: build it again, leave it out of the wheel, or name it "
          "with --exclude");
}

TEST_CASE("an error within a file is told with its name once") {
    CHECK(error_of("cut.so", kLibrary.substr(0, 0x60)).starts_with("cut.so → offset 0x"));
}

TEST_CASE("the members of a wheel that are binaries, whatever they are called") {
    const PeSpec image = {.sections = {{.name = ".nv_fatbin", .content = build_region({.entries = {sass(86)}})}}};
    const Inventory inventory = wheel_of({{.name = "pkg/__init__.py", .content = "import torch\n"},
                                          {.name = "pkg/"},
                                          {.name = "pkg/_C.so", .content = kLibrary},
                                          {.name = "pkg/lib/libggml-cuda.so", .content = library_of({sass(75)})},
                                          {.name = "pkg/node.node", .content = build_pe(image)},
                                          {.name = "pkg/cubins/k.bin", .content = build_cubin({.arch = 100})},
                                          {.name = "pkg/k.fatbin", .content = build_region({.entries = {sass(89)}})},
                                          {.name = "pkg/k.ptx", .content = build_ptx("sm_90a", kPtxKernel)},
                                          {.name = "pkg/host.so.1", .content = build_elf({})}});
    CHECK(inventory.is_wheel);
    CHECK(inventory.distribution == "pkg");
    std::string text;
    for (const Member& member : inventory.members) {
        text += member.path + " " + std::string(name(member.format)) + " " + std::string(name(member.role)) + " " +
                to_text(member.archs) + "\n";
    }
    CHECK(text ==
          "pkg/_C.so elf extension sm_80 compute_90\n"
          "pkg/lib/libggml-cuda.so elf extension sm_75\n"
          "pkg/node.node pe extension sm_86\n"
          "pkg/cubins/k.bin cubin extension sm_100\n"
          "pkg/k.fatbin fatbin extension sm_89\n"
          "pkg/k.ptx ptx extension compute_90a\n"
          "pkg/host.so.1 elf host nothing\n");
    CHECK(place_of(inventory, inventory.members.at(0)) == std::string(kWheel) + " → pkg/_C.so");
    CHECK(to_text(observed(inventory)) == "sm_75 sm_80 sm_86 sm_89 sm_100 compute_90 compute_90a");
    CHECK(inventory.findings.empty());
}

TEST_CASE("a wheel of loose cubins and no library") {
    const Inventory inventory = wheel_of(
        {{.name = "pkg/cubins/a_sm100f.cubin", .content = build_cubin({.arch = 100})},
         {.name = "pkg/cubins/b_sm103a.cubin", .content = build_cubin({.arch = 103, .a = CubinA::in_compat})}});
    CHECK(to_text(observed(inventory)) == "sm_100 sm_103a");  // a cubin keeps no trace of f
}

TEST_CASE("a wheel without binaries has no members") {
    CHECK(wheel_of({{.name = "pkg/__init__.py", .content = "x = 1\n"}}).members.empty());
    CHECK(error_of(std::vector<ZipEntry>{}) ==
          std::string(kWheel) + ": the archive is empty\nfix: find out why the build packed nothing");
}

TEST_CASE("stored and deflated members read alike, and count from their own start") {
    EntrySpec narrow = sass(80);
    const std::string library = build_library(
        {{".nv_fatbin", build_region({.entries = {sass(80), sass(90)}}) + build_region({.entries = {narrow}})}});
    InventoryOptions options;
    options.keep_images = true;
    const auto member_of = [&](std::uint16_t method) {
        return wheel_of(
                   {{.name = "pkg/a.py", .content = "x"}, {.name = "pkg/_C.so", .content = library, .method = method}},
                   options)
            .members.at(0);
    };
    const Member stored = member_of(0);
    const Member deflated = member_of(8);
    CHECK(to_text(stored.archs) == "sm_80 sm_90");
    CHECK(stored.size == library.size());
    CHECK(stored.narrow_regions.at(0).offset == deflated.narrow_regions.at(0).offset);
    CHECK(stored.images.at(0).offset == deflated.images.at(0).offset);
}

TEST_CASE("a stored member whose regions are found through wrappers") {
    PeSpec image = {.sections = {{.name = ".rdata", .content = build_region({.entries = {sass(86)}})},
                                 {.name = ".nvFatBinSegment", .content = zeros(24)}}};
    image.sections[1].content = wrapper(address_in_pe(image, ".rdata"));
    const Inventory inventory = wheel_of(
        {{.name = "pkg/a.py", .content = "x"}, {.name = "pkg/_C.pyd", .content = build_pe(image), .method = 0}});
    CHECK(to_text(observed(inventory)) == "sm_86");
}

TEST_CASE("a member too large for memory goes through a temporary file") {
    ElfSpec spec;
    spec.sections = {{.name = ".nv_fatbin", .content = build_region({.entries = {sass(80)}})},
                     {.name = ".rodata", .content = zeros(std::uint64_t{49} << 20)}};
    InventoryOptions options;
    options.second_witness = [](const MemberSource& source, const DeviceCode&, Member&) {
        const MappedFile again(source.file());
        CHECK(again.view().size() == source.bytes().size());
        CHECK(
            again.view().starts_with("\x7f"
                                     "ELF"));
    };
    const Inventory inventory = wheel_of({{.name = "pkg/_C.so", .content = build_elf(spec)}}, options);
    CHECK(to_text(observed(inventory)) == "sm_80");
}

TEST_CASE("a second witness gets each member, and a file to read it from") {
    std::string seen;
    InventoryOptions options;
    options.second_witness = [&](const MemberSource& source, const DeviceCode& code, Member& member) {
        const MappedFile file(source.file());
        CHECK(file.view().text() == source.bytes().text());
        CHECK(code.images.size() == member.images.size());
        seen += member.path + " ";
        member.witnesses = {"native", "another"};
    };
    const Inventory inventory = wheel_of(
        {{.name = "pkg/a.so", .content = kLibrary}, {.name = "pkg/b.so", .content = kLibrary, .method = 0}}, options);
    CHECK(seen == "pkg/a.so pkg/b.so ");
    CHECK(inventory.members.at(1).witnesses.size() == 2);
}

TEST_CASE("the whole wheel fails with one member that cannot be read") {
    const std::string place = std::string(kWheel) + " → pkg/_C.so";
    CHECK(error_of({{.name = "pkg/good.so", .content = kLibrary},
                    {.name = "pkg/_C.so", .content = kLibrary.substr(0, 0x60)}})
              .starts_with(place + " → offset 0x"));
    CHECK(error_of({{.name = "pkg/_C.so", .content = kLibrary, .crc32 = 1}})
              .starts_with(place + ": the CRC-32 of the member is 0x"));
    CHECK(error_of({{.name = "pkg/_C.so", .content = kLibrary, .method = 0, .crc32 = 1}})
              .starts_with(place + ": the CRC-32 of the member is 0x"));
}

TEST_CASE("a member named like device code whose content is nothing of it") {
    const std::string fix = "\nfix: build it again, leave it out of the wheel, or name it with --exclude";
    for (const char* suffix : {".so", ".pyd", ".dll", ".cubin", ".fatbin", ".ptx"}) {
        const std::string path = std::string("pkg/_C") + suffix;
        CHECK(error_of({{.name = path, .content = "garbage"}}) ==
              std::string(kWheel) + " → " + path + ": named " + suffix +
                  ", but its content is no ELF, PE, fatbin, cubin or PTX" + fix);
        CHECK(error_of({{.name = path, .content = ""}}) ==
              std::string(kWheel) + " → " + path + ": named " + suffix + ", but its content is empty" + fix);
    }
}

TEST_CASE("a versioned library whose content is nothing of it: a pointer of Git LFS, for one") {
    CHECK(error_of({{.name = "pkg/libfoo.so.12.1", .content = "version https://git-lfs.example.org/spec/v1\n"}}) ==
          std::string(kWheel) +
              " → pkg/libfoo.so.12.1: named .so.12.1, but its content is no ELF, PE, fatbin, cubin or PTX"
              "\nfix: build it again, leave it out of the wheel, or name it with --exclude");
    CHECK(wheel_of(
              {{.name = "pkg/libfoo.so.txt", .content = "text"}, {.name = "pkg/notes.so.much.more", .content = "text"}})
              .members.empty());
}

TEST_CASE("linker scripts and libraries for macOS and WebAssembly are no garbage") {
    CHECK(wheel_of({{.name = "pkg/libfoo.so", .content = "/* GNU ld script */\nGROUP ( libfoo.so.1 )\n"},
                    {.name = "pkg/libbar.so", .content = "INPUT(libbar.so.1)\n"},
                    {.name = "pkg/libbaz.so", .content = "OUTPUT_FORMAT(elf64-x86-64)\n"},
                    {.name = "pkg/wasm.so", .content = std::string("\0asm\1\0\0\0", 8)},
                    {.name = "pkg/mac.so", .content = "\xcf\xfa\xed\xfe and so on"},
                    {.name = "pkg/fat.so", .content = "\xca\xfe\xba\xbe and so on"}})
              .members.empty());
}

TEST_CASE("compressed members are named, since nobody looks into them") {
    const Inventory one = wheel_of(
        {{.name = "pkg/data.zip", .content = build_zip({.entries = {{.name = "a.so", .content = kLibrary}}})}});
    REQUIRE(one.findings.size() == 1);
    CHECK(one.findings[0].rule == "packed-members");
    CHECK(one.findings[0].severity == Severity::notice);
    CHECK(one.findings[0].message == "1 compressed member was not looked into, pkg/data.zip first");
    const Inventory more = wheel_of({{.name = "a.gz", .content = "\x1f\x8b..."},
                                     {.name = "b.xz",
                                      .content = "\xfd"
                                                 "7zXZ"},
                                     {.name = "c.zst", .content = "\x28\xb5\x2f\xfd"},
                                     {.name = "d.bz2", .content = "BZh9"}});
    CHECK(more.findings.at(0).message == "4 compressed members were not looked into, a.gz first");
}

TEST_CASE("the name of a wheel is read, and its content too") {
    CHECK(error_of("pkg.whl", build_zip({}))
              .starts_with("pkg.whl: the wheel's file name has 1 field between its dashes, expected 5 or 6"));
    CHECK(error_of(kWheel, "no zip").starts_with(std::string(kWheel)));
    const std::string zip = build_zip({.entries = {{.name = "pkg/_C.so", .content = kLibrary}}});
    CHECK(error_of("pkg.zip", zip).starts_with("pkg.zip: a zip archive, but not a wheel"));
    CHECK(error_of("pkg-1.0-0.conda", zip).starts_with("pkg-1.0-0.conda: a conda package, not a wheel"));
    CHECK(error_of("pkg-1.0.tar.gz", "\x1f\x8b").starts_with("pkg-1.0.tar.gz: a source distribution"));
}

TEST_CASE("no such file") {
    const TemporaryFolder folder;
    CHECK(error_text([&] { take_inventory(folder.path() / "absent.whl", {}); }) ==
          "absent.whl: cannot open the file: No such file or directory\nfix: check the path and its permissions");
}

TEST_CASE("files are hashed if that is wanted, in the archive's order") {
    const std::vector<ZipEntry> entries = {{.name = "pkg/", .method = 0},
                                           {.name = "pkg/_C.so", .content = kLibrary},
                                           {.name = "pkg/abc", .content = "abc", .method = 0},
                                           {.name = "pkg/empty.so", .content = ""}};
    const InventoryOptions exclude = {.exclude = {"empty.so"}, .hash_members = true};
    CHECK(wheel_of(entries, {.exclude = {"empty.so"}}).digests.empty());
    const std::vector<FileDigest> digests = wheel_of(entries, exclude).digests;
    REQUIRE(digests.size() == 3);
    CHECK(digests[0].name == "pkg/_C.so");
    CHECK(digests[0].size == kLibrary.size());
    CHECK(digests[0].sha256 == sha256_of(kLibrary));
    CHECK(digests[1].name == "pkg/abc");
    CHECK(digests[1].sha256 == sha256_of("abc"));
    CHECK(digests[2].name == "pkg/empty.so");
    CHECK(digests[2].sha256 == sha256_of(""));
}

TEST_CASE("a damaged member is an error where it is hashed, excluded or not") {
    const std::vector<ZipEntry> entries = {{.name = "pkg/a.so", .content = kLibrary, .crc32 = 1}};
    CHECK(wheel_of(entries, {.exclude = {"a.so"}}).findings.size() == 1);
    CHECK(error_text([&] {
              wheel_of(entries, {.exclude = {"a.so"}, .hash_members = true});
          }).starts_with("pkg-1.0-cp312-cp312-linux_x86_64.whl → pkg/a.so: the CRC-32 of the member is "));
}

}  // namespace
}  // namespace wheelarch
