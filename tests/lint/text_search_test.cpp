#include "lint/text_search.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace wheelarch {

TEST_CASE("text search: what find() finds") {
    std::mt19937 random(3);
    for (int round = 0; round < 5'000; ++round) {
        std::string text;
        for (std::size_t i = random() % 600; i-- > 0;) {
            text += "arch"[random() % 4];
        }
        const std::size_t from = random() % 620;
        INFO(text, " ", from);
        REQUIRE(find_part<2>(text, "ar", from) == text.find("ar", from));
        REQUIRE(find_part<4>(text, "arch", from) == text.find("arch", from));
        REQUIRE(has_part(text, "archa") == (text.find("archa") != std::string::npos));
        const char* end = text.data() + text.size();
        const std::size_t at = std::min(text.find('c'), text.size());
        REQUIRE(count_byte(text, 'c') == static_cast<std::size_t>(std::count(text.begin(), text.end(), 'c')));
        REQUIRE(find_byte(text.data(), end, 'c') == text.data() + at);
    }
}

}  // namespace wheelarch
