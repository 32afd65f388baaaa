#include "base/error.hpp"

#include <doctest/doctest.h>

#include "base/finding.hpp"

namespace wheelarch {
namespace {

std::string text(const Error& error) {
    return error.what();
}

TEST_CASE("an error reads from the outside in") {
    Error error = unchecked("no magic", "build it again");
    CHECK(text(error) == "no magic");
    error.at(0x1f40);
    CHECK(text(error) == "offset 0x1f40: no magic");
    error.inside("pkg/_C.so");
    CHECK(text(error) == "pkg/_C.so → offset 0x1f40: no magic");
    error.inside("pkg.whl");
    CHECK(text(error) == "pkg.whl → pkg/_C.so → offset 0x1f40: no magic");
    CHECK(error.problem() == "no magic");
    CHECK(error.fix() == "build it again");
    CHECK(error.inputs() == std::vector<std::string>{"pkg.whl", "pkg/_C.so"});
    CHECK(error.offset() == 0x1f40);
}

TEST_CASE("an empty name is no input") {
    Error error = unchecked("no magic");
    error.inside("");
    CHECK(text(error) == "no magic");
    CHECK(error.inputs().empty());
    CHECK_FALSE(error.offset());
    CHECK(error.fix().empty());
}

TEST_CASE("the two kinds of error differ in their exit code") {
    CHECK(static_cast<int>(unchecked("x").code()) == 3);
    CHECK(static_cast<int>(bad_usage("x").code()) == 2);
}

TEST_CASE("inside() marks the errors that pass it and hands on results") {
    CHECK(inside("a.whl", [] { return 7; }) == 7);
    std::string seen;
    try {
        inside("a.whl", [] { inside("b.so", [] { throw unchecked("no magic").at(1); }); });
    } catch (const Error& error) {
        seen = error.what();
    }
    CHECK(seen == "a.whl → b.so → offset 0x1: no magic");
    CHECK_THROWS_AS(inside("a.whl", [] { throw 1; }), int);
}

TEST_CASE("only findings of severity error fail a run") {
    const Finding notice = {"r", Severity::notice, {}, {}, {}};
    const Finding warning = {"r", Severity::warning, {}, {}, {}};
    const Finding error = {"r", Severity::error, {}, {}, {}};
    CHECK_FALSE(fails({}));
    CHECK_FALSE(fails({notice, warning}));
    CHECK(fails({notice, error, warning}));
    CHECK(name(Severity::notice) == "notice");
    CHECK(name(Severity::warning) == "warning");
    CHECK(name(Severity::error) == "error");
}

}  // namespace
}  // namespace wheelarch
