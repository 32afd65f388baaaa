#include "base/json_bound.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace wheelarch;

TEST_CASE("json bound: what separates and opens values counts") {
    CHECK_NOTHROW(require_few_values("", 0));
    CHECK_NOTHROW(require_few_values(R"({"a": [1, 2], "b": {}})", 5));
    CHECK_THROWS_WITH_AS(require_few_values(R"({"a": [1, 2], "b": {}})", 4), "it has more than 4 values", Error);
    CHECK_THROWS_WITH_AS(require_few_values("[[[[", 3), "it has more than 3 values", Error);
}
