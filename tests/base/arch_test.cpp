#include "base/arch.hpp"

#include <optional>
#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace wheelarch;

TEST_CASE("arch: the spellings") {
    CHECK(bare_name({90, 'a'}) == "90a");
    CHECK(torch_name({90, 'a'}) == "9.0a");
    CHECK(torch_name({121, '\0'}) == "12.1");
    CHECK(sass_name({100, 'f'}) == "sm_100f");
    CHECK(ptx_name({75, '\0'}) == "compute_75");
}

TEST_CASE("arch: bare spellings are read") {
    CHECK(parse_bare_arch("90") == Arch{90, '\0'});
    CHECK(parse_bare_arch("90a") == Arch{90, 'a'});
    CHECK(parse_bare_arch("100f") == Arch{100, 'f'});
    CHECK(parse_bare_arch("1000") == Arch{1000, '\0'});
    for (const char* text : {"", "a", "9", "9a", "090", "0", "10000", "90aa", "90b", "90A", "-90", "+90", " 90", "90 ",
                             "9.0", "sm_90", "99999999999999999999"}) {
        CAPTURE(text);
        CHECK(parse_bare_arch(text) == std::nullopt);
    }
}

TEST_CASE("arch: dotted spellings are read") {
    CHECK(parse_dotted_arch("9.0") == Arch{90, '\0'});
    CHECK(parse_dotted_arch("9.0a") == Arch{90, 'a'});
    CHECK(parse_dotted_arch("12.1f") == Arch{121, 'f'});
    for (const char* text :
         {"",    ".",   "9",    "9.",    ".0",   "9.00", "09.0", "0.0",    "9.0.a", "9.0.0",
          "9,0", "9.a", "9.0b", "9.0aa", "-9.0", "9.-1", "90",   "1000.0", "9.0 ",  "99999999999999999999.0"}) {
        CAPTURE(text);
        CHECK(parse_dotted_arch(text) == std::nullopt);
    }
}

TEST_CASE("arch: what is spelled can be read again") {
    for (std::uint32_t number = 10; number < 400; ++number) {
        for (const char suffix : {'\0', 'a', 'f'}) {
            const Arch arch{number, suffix};
            CHECK(parse_bare_arch(bare_name(arch)) == arch);
            CHECK(parse_dotted_arch(torch_name(arch)) == arch);
        }
    }
}

TEST_CASE("arch: the order is by number, then suffix") {
    CHECK(Arch{90, '\0'} < Arch{90, 'a'});
    CHECK(Arch{90, 'a'} < Arch{100, '\0'});
    CHECK(Arch{100, 'a'} < Arch{100, 'f'});
    CHECK(Arch{121, '\0'}.major() == 12);
    CHECK(Arch{121, '\0'}.minor() == 1);
}

TEST_CASE("arch: sets") {
    const ArchSet left{{{80, '\0'}, {90, 'a'}}, {{90, '\0'}}};
    const ArchSet right{{{80, '\0'}, {90, '\0'}}, {}};
    CHECK(minus(left, right) == ArchSet{{{90, 'a'}}, {{90, '\0'}}});
    CHECK(minus(left, left).empty());
    ArchSet both = left;
    both.add(right);
    CHECK(both == ArchSet{{{80, '\0'}, {90, '\0'}, {90, 'a'}}, {{90, '\0'}}});
    CHECK(to_text(left) == "sm_80 sm_90a compute_90");
    CHECK(to_text(ArchSet{}) == "nothing");
}

TEST_CASE("arch: a set as a list") {
    CHECK(to_arch_list({{{80, '\0'}, {90, '\0'}}, {{90, '\0'}}}) == "8.0;9.0+PTX");
    CHECK(to_arch_list({{{100, 'f'}}, {}}) == "10.0f");
    // torch's notation has no PTX without SASS of the same arch.
    CHECK(to_arch_list({{{80, '\0'}}, {{90, '\0'}}}) == "80-real;90-virtual");
    CHECK(to_arch_list({{}, {{90, 'a'}}}) == "90a-virtual");
    CHECK(to_arch_list({}) == "");
}

TEST_CASE("arch: no text breaks the readers") {
    std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same in every run
    const std::string_view bytes("0123456789.afAF+ _-\0\x80\xff", 21);
    for (int i = 0; i < 20000; ++i) {
        std::string text(random() % 8, '\0');
        for (char& c : text) {
            c = bytes[random() % bytes.size()];
        }
        CAPTURE(text);
        if (const auto arch = parse_bare_arch(text)) {
            CHECK(bare_name(*arch) == text);
        }
        if (const auto arch = parse_dotted_arch(text)) {
            CHECK(torch_name(*arch) == text);
        }
    }
}
