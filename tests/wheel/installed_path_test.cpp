#include "wheel/installed_path.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("installed paths") {
    CHECK(installed_path("a/b").path == "a/b");
    CHECK(installed_path("a/b").is_plain);
    CHECK(installed_path("a/").is_plain);
    for (const char* name : {"a//b", "./a/b", "a/./b", ".//a/b", "p-1.data/purelib//a/b"}) {
        CHECK(installed_path(name).path == "a/b");
        CHECK_FALSE(installed_path(name).is_plain);
    }
    CHECK(installed_path("p-1.data/platlib/a/b").path == "a/b");
    CHECK(installed_path("p-1.data/platlib/a/b").scheme == Scheme::site);
    CHECK(installed_path("p-1.data/data/a").scheme == Scheme::data);
    CHECK(installed_path("p-1.data/evil/a").scheme == Scheme::unknown);
    CHECK(installed_path("p-1.data/evil/a").path == "p-1.data/evil/a");
    CHECK(installed_path("").path.empty());
}

TEST_CASE("shown paths") {
    CHECK(shown_path("p-1.data/platlib/a/b") == "a/b");
    CHECK(shown_path("p-1.data/./scripts/x") == "p-1.data/scripts/x");
    CHECK(shown_path("a//b") == "a/b");
    CHECK(shown_path("p-1.data/x") == "p-1.data/x");
    CHECK(shown_path("/") == "/");
}

}  // namespace
}  // namespace wheelarch
