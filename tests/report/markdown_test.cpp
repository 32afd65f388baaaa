#include "report/markdown.hpp"

#include <doctest/doctest.h>

using namespace wheelarch;

TEST_CASE("markdown: names are neither Markdown nor HTML") {
    Inventory inventory;
    inventory.file_name = "<b>|`*_[x](y)@z.whl";
    const std::string text = verdict_summary(inventory, {});
    CHECK(text.find("<code>&lt;b&gt;&#124;&#96;&#42;&#95;&#91;x&#93;(y)&#64;z.whl</code>") != std::string::npos);
}

TEST_CASE("markdown: what has no room is left out, the last items first") {
    const Summary summary = {"head\n", "table\n", {"- one\n", "- two\n", "- three\n"}, {}};
    CHECK(to_markdown(summary, 1000) == "head\ntable\n\n- one\n- two\n- three\n\n");
    CHECK(to_markdown(summary, 24) == "head\ntable\n\n- one\n- two\n- 1 more\n\n");
    CHECK(to_markdown(summary, 10) == "head\n\n- 3 more\n\n");
    CHECK(to_markdown({"head\n", "", {}, {}}, 10) == "head\n");
}
