// Versions and whole names in their normal forms.
#include <doctest/doctest.h>

#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

std::string canonical(std::string_view file_name) {
    return canonical_name(parse_wheel_name(file_name));
}

TEST_CASE("versions in every spelling that PEP 440 lets pass") {
    CHECK(normal_version("1.0") == "1.0");
    CHECK(normal_version("v1.0") == "1.0");
    CHECK(normal_version(" 1.0\n") == "1.0");
    CHECK(normal_version("001.02") == "1.2");
    CHECK(normal_version("0") == "0");
    CHECK(normal_version("1.0.0") == "1.0.0");
    CHECK(normal_version("0!1.0") == "1.0");
    CHECK(normal_version("01!1.0") == "1!1.0");
    CHECK(normal_version("1.0a1") == "1.0a1");
    CHECK(normal_version("1.0-ALPHA") == "1.0a0");
    CHECK(normal_version("1.0_beta.2") == "1.0b2");
    CHECK(normal_version("1.0c3") == "1.0rc3");
    CHECK(normal_version("1.0.preview_4") == "1.0rc4");
    CHECK(normal_version("1.0pre") == "1.0rc0");
    CHECK(normal_version("1.0-1") == "1.0.post1");
    CHECK(normal_version("1.0r2") == "1.0.post2");
    CHECK(normal_version("1.0rev") == "1.0.post0");
    CHECK(normal_version("1.0.POST03") == "1.0.post3");
    CHECK(normal_version("1.0a1-2.dev3") == "1.0a1.post2.dev3");
    CHECK(normal_version("1.0DEV") == "1.0.dev0");
    CHECK(normal_version("20260730123456789012345") == "20260730123456789012345");
}

TEST_CASE("local versions") {
    CHECK(normal_version("2.7.3+cu11torch2.1cxx11abiFALSE") == "2.7.3+cu11torch2.1cxx11abifalse");
    CHECK(normal_version("2.8.3+cu128-torch2.8") == "2.8.3+cu128.torch2.8");
    CHECK(normal_version("2.8.3+cu128_torch2.8") == "2.8.3+cu128.torch2.8");
    CHECK(normal_version("1.0+007.0a") == "1.0+7.0a");
    CHECK(normal_version("1.0+cu128torch2.8") != normal_version("1.0+cu128torch28"));
}

TEST_CASE("what is no version is only put in lower case") {
    for (const char* text : {"", "1.0+", "1.0+a..b", "1.0+a.", "1.0+a!b", "1.0.", "1..0", "!1", "1!", "1.0!2", "abc",
                             "1.0x", "1.0--1", "1.0 1", "1.0+cu\xc3\xa9", "v"}) {
        CHECK(normal_version(text) == text);
    }
    CHECK(normal_version("Main-2024") == "main-2024");
}

TEST_CASE("names are joined by underscores") {
    CHECK(normal_name("Flash-Attn") == "flash_attn");
    CHECK(normal_name("a.-_B") == "a_b");
    CHECK(normal_name("_a_") == "_a_");
    CHECK(normal_name("torch") == "torch");
    CHECK(normal_name("") == "");
}

TEST_CASE("one wheel has one canonical name") {
    const std::string name = "pkg-1.0-cp313-cp313-manylinux2014_x86_64.manylinux_2_17_x86_64.whl";
    CHECK(canonical(name) == name);
    CHECK(canonical("Pkg-1.0-cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64.whl") == name);
    CHECK(canonical("pkg-1.0-cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64.manylinux2014_x86_64.whl") == name);
    CHECK(canonical("pkg-1.0-py3.py2-none-any.whl") == "pkg-1.0-py2.py3-none-any.whl");
    CHECK(canonical("My.Pkg-1.0+CU128-01Build2-CP39-ABI3-Win_AMD64.whl") ==
          "my_pkg-1.0+cu128-1build2-cp39-abi3-win_amd64.whl");
    CHECK(canonical("pkg-1.0-000-py3-none-any.whl") == "pkg-1.0-0-py3-none-any.whl");
    CHECK(canonical("pkg-1.0-00x-py3-none-any.whl") == "pkg-1.0-0x-py3-none-any.whl");
}

TEST_CASE("two wheels have two canonical names") {
    CHECK(canonical("a-1.0+cu128torch28-cp312-cp312-linux_x86_64.whl") !=
          canonical("a-1.0+cu128torch2.8-cp312-cp312-linux_x86_64.whl"));
    CHECK(canonical("a-1.0-1-py3-none-any.whl") != canonical("a-1.0-py3-none-any.whl"));
    CHECK(canonical("a-1.0-cp312-cp312-linux_x86_64.whl") != canonical("a-1.0-cp312-abi3-linux_x86_64.whl"));
}

}  // namespace
}  // namespace wheelarch
