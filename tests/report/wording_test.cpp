#include "report/wording.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("wording: the action names inputs (U6)") {
    CHECK(as_inputs("give --arch-list, for example --arch-list \"8.0;9.0+PTX\", or --device-code none, or a matrix row "
                    "with an arch_list by --cell") ==
          "give the input `arch-list`, for example `arch-list: \"8.0;9.0+PTX\"`, or `extra-args: --device-code=none`, "
          "or a matrix row with an arch_list by the input `matrix`");
    CHECK(as_inputs("name it with --cuobjdump, or choose --witness native") ==
          "name it with the input `cuobjdump`, or choose `witness: native`");
    CHECK(as_inputs("--cell /tmp/row: it is not JSON") == "the input `matrix`: it is not JSON");
    CHECK(as_inputs("the ledger of --branch wheels") == "the ledger of the input `ledger-branch` wheels");
}

TEST_CASE("wording: options that no input stands for") {
    CHECK(as_inputs("--per-member makes this an error") == "`extra-args: --per-member` makes this an error");
    CHECK(as_inputs("write --expect-member GLOB=LIST") == "write `extra-args: --expect-member=GLOB=LIST`");
    CHECK(as_inputs("the package's --replace") == "the package's `extra-args: --replace`");
    CHECK(as_inputs("`--replace` takes its place") == "`extra-args: --replace` takes its place");
    CHECK(as_inputs("(--exclude GLOB)") == "(`extra-args: --exclude=GLOB`)");
}

TEST_CASE("wording: what is no option stays") {
    for (const std::string text :
         {"", "-", "--", "a -- b", "--- x", "a--b", "use `wheelarch inspect --images X` for it", "`wheelarch --witness",
          "8.0;9.0", "unknown '--a --b' here", "'--x", "a 'b"}) {
        CHECK(as_inputs(text) == text);
    }
}

}  // namespace
}  // namespace wheelarch
