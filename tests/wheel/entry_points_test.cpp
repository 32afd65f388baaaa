#include "wheel/entry_points.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("entry points") {
    CHECK(entry_points_problem("") == "");
    CHECK(entry_points_problem("# x\n[console_scripts]\r\na = b.c:d [e]\n\n[own.group]\nx = y\n") == "");
    CHECK(entry_points_problem("nonsense") == "line 1: no section stands before it");
    CHECK(entry_points_problem("[gui_scripts]\na = \n") == "line 2: a script needs module:function");
    CHECK(entry_points_problem("[console_scripts]\na = b\n") == "line 2: a script needs module:function");
    CHECK(entry_points_problem("[console_scripts]\n../a = b:c\n") == "line 2: the name of a script must not be a path");
    CHECK(entry_points_problem("[x]\na\n") == "line 2: it is not of the form name = module:function");
    CHECK(entry_points_problem("\xff") == "it is not UTF-8");
}

}  // namespace
}  // namespace wheelarch
