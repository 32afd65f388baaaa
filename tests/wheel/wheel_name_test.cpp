#include "wheel/wheel_name.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

using Tags = std::vector<std::string>;

std::string error_text(std::string_view file_name) {
    try {
        parse_wheel_name(file_name);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        CHECK(!error.fix().empty());
        return error.what();
    }
    return "no error";
}

TEST_CASE("a wheel name is taken apart") {
    const WheelName name = parse_wheel_name("flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl");
    CHECK(name.distribution == "flash_attn");
    CHECK(name.version == "2.8.3+cu128torch2.8");
    CHECK(name.build.empty());
    CHECK(name.python_tags == Tags{"cp312"});
    CHECK(name.abi_tags == Tags{"cp312"});
    CHECK(name.platform_tags == Tags{"linux_x86_64"});
}

TEST_CASE("a wheel name may have a build tag") {
    const WheelName name = parse_wheel_name("pkg-1.0-1build2-py3-none-any.whl");
    CHECK(name.version == "1.0");
    CHECK(name.build == "1build2");
    CHECK(name.python_tags == Tags{"py3"});
}

TEST_CASE("compressed tag sets are split, in their order") {
    const WheelName name = parse_wheel_name("pkg-1.0-py2.py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
    CHECK(name.python_tags == Tags{"py2", "py3"});
    CHECK(name.abi_tags == Tags{"none"});
    CHECK(name.platform_tags == Tags{"manylinux_2_17_x86_64", "manylinux2014_x86_64"});
}

TEST_CASE("odd names that are valid") {
    CHECK(parse_wheel_name("pkg-1.0-cp39-abi3-win_amd64.whl").abi_tags == Tags{"abi3"});
    CHECK(parse_wheel_name("pkg-1!2.0.post1-py2.py3-none-any.whl").version == "1!2.0.post1");
    CHECK(parse_wheel_name("pkg-1.0-graalpy312-graalpy250_312_native-linux_x86_64.whl").abi_tags ==
          Tags{"graalpy250_312_native"});
    CHECK(parse_wheel_name("pkg-1.0-cp314-cp314t-linux_aarch64.whl").abi_tags == Tags{"cp314t"});
    CHECK(parse_wheel_name("Foo.Bar-1.0-py3-none-any.whl").distribution == "Foo.Bar");
}

TEST_CASE("a name that is no wheel's says what is wrong") {
    CHECK(error_text("pkg-1.0.tar.gz") == "the file name does not end in .whl");
    CHECK(error_text("") == "the file name does not end in .whl");
    CHECK(error_text("pkg-1.0-py3-none-any.whl.ledger.json") == "the file name does not end in .whl");
    CHECK(error_text(".whl") == "the wheel's file name has 1 field between its dashes, expected 5 or 6");
    CHECK(error_text("pkg-1.0-py3-none.whl") ==
          "the wheel's file name has 4 fields between its dashes, expected 5 or 6");
    CHECK(error_text("my-own-pkg-1.0-py3-none-any.whl") ==
          "the wheel's file name has 7 fields between its dashes, expected 5 or 6");
    CHECK(error_text("-1.0-py3-none-any.whl") == "the distribution in the wheel's file name is empty");
    CHECK(error_text("pkg--py3-none-any.whl") == "the version in the wheel's file name is empty");
    CHECK(error_text("pkg-1.0--py3-none-any.whl") == "the build tag in the wheel's file name is empty");
    CHECK(error_text("pkg-1.0--none-any.whl") == "the python tag in the wheel's file name is empty");
    CHECK(error_text("pkg-1.0-py3--any.whl") == "the abi tag in the wheel's file name is empty");
    CHECK(error_text("pkg-1.0-py3-none-.whl") == "the platform tag in the wheel's file name is empty");
    CHECK(error_text("pkg-1.0-build2-py3-none-any.whl") ==
          "the build tag 'build2' in the wheel's file name does not start with a digit");
    CHECK(error_text("pkg-1.0-py2..py3-none-any.whl") ==
          "the python tag 'py2..py3' in the wheel's file name holds an empty tag");
    CHECK(error_text("pkg-1.0-py3-none-any.linux_x86_64..whl") ==
          "the platform tag 'any.linux_x86_64.' in the wheel's file name holds an empty tag");
    CHECK(error_text("pkg-1.0-py3-none-any (1).whl") ==
          "the platform tag in the wheel's file name holds a space or a control character");
    CHECK(error_text("pkg-1.0-1\n-py3-none-any.whl") ==
          "the build tag in the wheel's file name holds a space or a control character");
}

TEST_CASE("every truncation of a name gives an Error") {
    const std::string name = "pkg-1.0-1-py3-none-any.whl";
    for (std::size_t size = 0; size < name.size(); ++size) {
        CHECK(error_text(name.substr(0, size)) != "no error");
    }
}

}  // namespace
}  // namespace wheelarch
