#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_builder.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {
namespace {

struct Files {
    std::string wheel = "pkg-1.0-cp312-cp312-linux_x86_64.whl";
    std::vector<ZipEntry> entries = {};
};

Inventory take(const Files& files, const InventoryOptions& options = {}) {
    const TemporaryFolder folder;
    return take_inventory(folder.write(files.wheel, build_zip({.entries = files.entries})), options);
}

// `path role` of each member, one a line.
std::string roles(const Files& files, const InventoryOptions& options = {}) {
    std::string text;
    for (const Member& member : take(files, options).members) {
        text += member.path + " " + std::string(name(member.role)) + "\n";
    }
    return text;
}

InventoryOptions patterns(std::vector<std::string> exclude, std::vector<std::string> include = {}) {
    InventoryOptions options;
    options.exclude = std::move(exclude);
    options.include = std::move(include);
    return options;
}

ZipEntry library(const std::string& path, std::uint32_t arch = 80) {
    return {.name = path, .content = library_of({sass(arch)})};
}

ZipEntry host(const std::string& path) {
    return {.name = path, .content = build_elf({})};
}

TEST_CASE("runtimes of CUDA and torch are listed and left out of the verdict") {
    const Files files = {.entries = {library("pkg/_C.so", 80), library("pkg/libcublas.so.12", 75),
                                     library("pkg/libtorch_cuda.so", 70), host("pkg/libcudart.so.12")}};
    CHECK(roles(files) ==
          "pkg/_C.so extension\n"
          "pkg/libcublas.so.12 vendored\n"
          "pkg/libtorch_cuda.so vendored\n"
          "pkg/libcudart.so.12 host\n");
    CHECK(to_text(observed(take(files))) == "sm_80");
}

TEST_CASE("a wheel of runtimes alone has nothing of its own") {
    CHECK(observed(take({.entries = {library("pkg/libcublas.so.12")}})).empty());
    CHECK(roles({.entries = {library("pkg.libs/libcublas-1234.so.12")}}) == "pkg.libs/libcublas-1234.so.12 vendored\n");
}

TEST_CASE("a runtime is its publisher's own") {
    CHECK(roles({.wheel = "nvidia_cublas_cu12-12.9.0-py3-none-linux_x86_64.whl",
                 .entries = {library("nvidia/cublas/lib/libcublas.so.12")}}) ==
          "nvidia/cublas/lib/libcublas.so.12 extension\n");
    CHECK(roles({.wheel = "torch-2.8.0-cp312-cp312-linux_x86_64.whl",
                 .entries = {library("torch/lib/libtorch_cuda.so"), library("torch/lib/libnccl.so.2")}}) ==
          "torch/lib/libtorch_cuda.so extension\ntorch/lib/libnccl.so.2 vendored\n");
}

TEST_CASE("what auditwheel put into *.libs is vendored, if the wheel has code of its own beside it") {
    CHECK(roles({.entries = {library("pkg/_C.so"), library("pkg.libs/libother-1234.so")}}) ==
          "pkg/_C.so extension\npkg.libs/libother-1234.so vendored\n");
}

TEST_CASE("what auditwheel put into *.libs is the package's own, if nothing else has code") {
    // ctranslate2 and faiss: the module is a thin layer over a library of the project itself.
    CHECK(roles({.entries = {host("pkg/_ext.so"), library("pkg.libs/libpkg-a7a60d30.so.4"),
                             library("pkg.libs/libcublas-1234.so.12")}}) ==
          "pkg/_ext.so host\npkg.libs/libpkg-a7a60d30.so.4 extension\npkg.libs/libcublas-1234.so.12 vendored\n");
}

TEST_CASE("--exclude leaves a member out, --include takes one in, and include wins") {
    const Files files = {.entries = {library("pkg/a.so"), library("pkg/b.so"), library("pkg/libcufft.so.11")}};
    CHECK(roles(files, patterns({"b.so"})) == "pkg/a.so extension\npkg/b.so vendored\npkg/libcufft.so.11 vendored\n");
    CHECK(roles(files, patterns({}, {"libcufft*"})) ==
          "pkg/a.so extension\npkg/b.so extension\npkg/libcufft.so.11 extension\n");
    CHECK(roles(files, patterns({"pkg/**"}, {"a.so"})) ==
          "pkg/a.so extension\npkg/b.so vendored\npkg/libcufft.so.11 vendored\n");
}

TEST_CASE("an excluded library in *.libs is not claimed back") {
    CHECK(roles({.entries = {library("pkg.libs/libpkg-1.so")}}, patterns({"*.libs/*"})) ==
          "pkg.libs/libpkg-1.so vendored\n");
}

TEST_CASE("a host member is a host member, included or not") {
    CHECK(roles({.entries = {host("pkg/_C.so")}}, patterns({}, {"*"})) == "pkg/_C.so host\n");
}

TEST_CASE("an excluded member need not be readable, and is named") {
    const Files files = {.entries = {library("pkg/a.so"),
                                     {.name = "pkg/broken.so", .content = "garbage"},
                                     {.name = "pkg/cut.so", .content = build_elf({}).substr(0, 60)}}};
    CHECK(error_text([&] { take(files); }).find("pkg/broken.so") != std::string::npos);
    const Inventory inventory = take(files, patterns({"broken.so", "pkg/cut.*"}));
    CHECK(inventory.members.size() == 1);
    REQUIRE(inventory.findings.size() == 2);
    CHECK(inventory.findings[0].rule == "unread-member");
    CHECK(inventory.findings[0].severity == Severity::notice);
    CHECK(inventory.findings[0].place == "pkg/broken.so");
    CHECK(inventory.findings[0].message ==
          "excluded, and could not be read: named .so, but its content is no ELF, PE, fatbin, cubin or PTX");
    CHECK(inventory.findings[1].place == "pkg/cut.so");
}

TEST_CASE("of a library on its own the name does not matter, but --exclude does") {
    const TemporaryFolder folder;
    const auto path = folder.write("libcublas.so.12", library_of({sass(80)}));
    CHECK(take_inventory(path, {}).members.at(0).role == Role::extension);
    CHECK(take_inventory(path, patterns({"libcublas*"})).members.at(0).role == Role::vendored);
}

TEST_CASE("a member with nothing but LTO-IR holds no code for any device") {
    const std::string library_with_lto = library_of({{.kind = 8, .arch = 90, .payload = "lto"}});
    CHECK(roles({.entries = {{.name = "pkg/_C.so", .content = library_with_lto}}}) == "pkg/_C.so host\n");
}

}  // namespace
}  // namespace wheelarch
