#include "wheel/requirement.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("requirements") {
    for (const char* text :
         {"numpy", "numpy>=1.20", "numpy >=1.20,<2", "numpy (>=1.20)", "a[b,c]>=1", "a[]", "a @ https://x/y.whl",
          "a @ https://x/y.whl ; python_version < '3'", "a; extra == 'x'", "a==1.*", "a===weird", "a~=1.2",
          "a>=1;'x' in y", "torch==2.9.0+cu130", "a; (b == 'c') and d != \"e\"", "a (>=1) ; extra == 'x'", "a>=1,"}) {
        CAPTURE(text);
        CHECK(is_requirement(text));
    }
    for (const char* text : {"", "!!", "a b", "a=1", "a>=", "a[b", "a>=1.*", "a~=1", "a @", "a;", "a; extra", "a (>=1",
                             "-a", "a>=1 b", "a; extra == 'x", "a>=1+local", "nonsense !!"}) {
        CAPTURE(text);
        CHECK_FALSE(is_requirement(text));
    }
    CHECK(is_specifier_set(""));
    CHECK(is_specifier_set(">=3.9, !=3.10.*, <4"));
    CHECK_FALSE(is_specifier_set("3.9"));
}

}  // namespace
}  // namespace wheelarch
