#include "wheel/python_tags.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

bool serves(const std::string& python_tag, const std::string& abi_tag, std::string_view python) {
    return tags_serve({python_tag}, {abi_tag}, python);
}

TEST_CASE("a Python of a matrix row is read") {
    CHECK(read_python("3.12")->minor == 12U);
    CHECK(read_python("3.12.4")->minor == 12U);
    CHECK(read_python("3.13t")->free_threaded);
    CHECK_FALSE(read_python("3")->minor);
    for (const char* text : {"", "t", "3.", "3.x", ".12", "pypy3.10", "3.12.", "-3.1", "3.99999999999"}) {
        CAPTURE(text);
        CHECK_FALSE(read_python(text));
    }
}

TEST_CASE("a wheel of one Python serves that one") {
    CHECK(serves("cp312", "cp312", "3.12"));
    CHECK(serves("CP312", "CP312", "3.12"));
    CHECK(serves("cp313", "cp313t", "3.13t"));
    CHECK(serves("cp37", "cp37m", "3.7"));
    CHECK(serves("cp312", "none", "3.12"));
    CHECK(serves("cp313", "none", "3.13t"));
    CHECK_FALSE(serves("cp313", "none", "3.12"));
    CHECK_FALSE(serves("cp312", "none", "3.13"));
    CHECK_FALSE(serves("cp313", "cp313t", "3.13"));
    CHECK_FALSE(serves("cp313", "cp313", "3.13t"));
    CHECK_FALSE(serves("cp31", "cp31", "3.12"));
    CHECK_FALSE(serves("cp3", "none", "3.12"));
    CHECK_FALSE(serves("pp310", "pypy310_pp73", "3.10"));
    CHECK_FALSE(serves("cp312", "cp312d", "3.12"));
}

TEST_CASE("the stable ABI serves its Python and newer ones, but for the build without the lock") {
    CHECK(serves("cp312", "abi3", "3.12"));
    CHECK(serves("cp39", "abi3", "3.13"));
    CHECK_FALSE(serves("cp313", "abi3", "3.12"));
    CHECK_FALSE(serves("cp39", "abi3", "3.13t"));
    CHECK_FALSE(serves("cp3", "abi3", "3.12"));
    CHECK_FALSE(serves("cp31", "abi3", "3.12"));
    CHECK_FALSE(serves("py3", "abi3", "3.12"));
    CHECK(serves("cp315", "abi3t", "3.15t"));
    CHECK_FALSE(serves("cp315", "abi3t", "3.15"));
}

TEST_CASE("a wheel without an ABI serves many") {
    CHECK(serves("py3", "none", "3.12"));
    CHECK(serves("py3", "none", "3.13t"));
    CHECK(serves("py38", "none", "3.12"));
    CHECK_FALSE(serves("py313", "none", "3.12"));
    CHECK_FALSE(serves("py2", "none", "3.12"));
    CHECK_FALSE(serves("py3", "cp312", "3.12"));
    CHECK(tags_serve({"py2", "py3"}, {"none"}, "3.12"));
    CHECK(tags_serve({"cp311", "cp312"}, {"abi3", "cp311"}, "3.12"));
    CHECK_FALSE(tags_serve({"cp311", "cp312"}, {"cp311"}, "3.12"));
}

}  // namespace
}  // namespace wheelarch
