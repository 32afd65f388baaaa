#include "policy/yaml.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "policy/yaml_scalar.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

std::shared_ptr<const YamlNode> parse(std::string_view text) {
    return parse_yaml(text, std::make_shared<const std::string>("x.yml"));
}

// The document on one line, text in brackets, or what is wrong with it and how to mend it.
std::string describe(const YamlNode& node) {
    std::string text;
    switch (node.kind) {
        case YamlNode::Kind::null: return "null";
        case YamlNode::Kind::scalar: return fmt::format("{}{}", node.plain ? "" : "'", node.text);
        case YamlNode::Kind::sequence:
            for (const auto& item : node.items) {
                text += (text.empty() ? "" : ", ") + describe(*item);
            }
            return "[" + text + "]";
        case YamlNode::Kind::map: break;
    }
    for (const YamlNode::Entry& entry : node.entries) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", entry.key->text, describe(*entry.value));
    }
    return "{" + text + "}";
}

std::string read(std::string_view text) {
    try {
        return describe(*parse(text));
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

std::string repeated(std::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += piece;
    }
    return text;
}

}  // namespace

TEST_CASE("yaml: values of every kind") {
    CHECK(read("a: 1\nb: 'x'\nc: [1, \"2\"]\nd:\n  e:\n  f: ~\ng: |\n  line\n") ==
          "{a: 1, b: 'x, c: [1, '2], d: {e: null, f: null}, g: 'line\n}");
}

TEST_CASE("yaml: a byte order mark and Windows' line ends are let pass") {
    CHECK(read("\xef\xbb\xbf"
               "a: 1\r\nb: 2\r\n") == "{a: 1, b: 2}");
}

TEST_CASE("yaml: every node knows its place") {
    const auto node = parse("a: 1\nb:\n  - x\n  - {c: y}\nd:\n\n\ne: 1\n");
    CHECK(to_text(node->find("b")->items[1]->find("c")->place) == "x.yml:4:9");
    CHECK(file_and_line(node->find("b")->items[0]->place) == "x.yml:3");
    // A value that is not there is where its key is.
    CHECK(to_text(node->find("d")->place) == "x.yml:5:1");
    CHECK(node->find("z") == nullptr);
}

TEST_CASE("yaml: aliases are expanded, and merged maps lose against a map's own keys") {
    CHECK(read("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a]\n") ==
          "{a: {x: 1, y: 2}, b: {y: 3, x: 1}, c: [{x: 1, y: 2}]}");
    CHECK(read("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n") ==
          "{a: {x: 1}, b: {x: 2, y: 2}, c: {x: 1, y: 2}}");
    CHECK(read("a: &a x\nb: {<<: *a}\n") ==
          "x.yml:1:4: what is merged by << is no map | give an alias of a map, such as <<: *name");
    CHECK(read("\"<<\": x\n") == "{<<: x}");
}

TEST_CASE("yaml: an alias of what it stands in is refused") {
    CHECK(read("a: &a [*a]\n") ==
          "x.yml:1:8: an alias stands inside of what it names, which would never end | write the "
          "value out");
}

TEST_CASE("yaml: aliases of aliases do not grow without end") {
    std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
    for (char c = 'b'; c < 'k'; ++c) {
        bomb +=
            fmt::format("{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]\n", c, static_cast<char>(c - 1));
    }
    CHECK(read(bomb) ==
          "x.yml:5:35: the file holds more than 100000 values, aliases expanded | a policy has no need of "
          "that: take out what is not policy");
}

TEST_CASE("yaml: depth is bounded, through aliases too") {
    const std::string too_deep = "values are nested more than 32 deep | a policy has no need of that: make it flatter";
    CHECK(read("a: " + repeated("[", 30) + repeated("]", 30) + "\n").starts_with("{a: [[["));
    CHECK(read("a: " + repeated("[", 40) + repeated("]", 40) + "\n") == "x.yml:1:36: " + too_deep);
    std::string chain = "a0: &a0 [x]\n";
    for (int i = 1; i < 40; ++i) {
        chain += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
    }
    CHECK(read(chain) == "x.yml:31:6: " + too_deep);
}

TEST_CASE("yaml: a key given twice is refused") {
    CHECK(
        read("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n") ==
        "x.yml:5:3: the key \"c\" is given twice: the first is in line 3 | take one of them out: which of them counts "
        "depends on the reader");
}

TEST_CASE("yaml: a key must be text") {
    CHECK(read("? [a]\n: 1\n") == "x.yml:1:3: a key that is no text | write a name before the colon");
    CHECK(read(": 1\n") == "x.yml:1:1: a key that is no text | write a name before the colon");
}

TEST_CASE("yaml: one document, and it is a map") {
    CHECK(read("a: 1\n---\nb: 2\n") ==
          "x.yml:2:1: a second document begins here, and only one is read | take out the "
          "line with ---, or put the rest into a file of its own");
    const std::string no_map =
        "the file is expected to hold keys with values, and does not | write it like version: "
        "\"1.0\"";
    CHECK(read("") == "x.yml:1:1: " + no_map);
    CHECK(read("# nothing\n") == "x.yml:1:1: " + no_map);
    CHECK(read("\n- a\n") == "x.yml:2:1: " + no_map);
    CHECK(read("a\n") == "x.yml:1:1: " + no_map);
}

TEST_CASE("yaml: tags are refused, but for text") {
    CHECK(read("a: !!str 12.8\n") == "{a: '12.8}");
    CHECK(read("a: !!python/object:os.system x\n") ==
          "x.yml:1:4: the tag \"tag:yaml.org,2002:python/object:os.system\" is not read | take the tag out");
}

TEST_CASE("yaml: errors of syntax have their place") {
    CHECK(read("a: 1\n  b: 2\n") ==
          "x.yml:2:4: this is no YAML: illegal map value | correct what stands here or just before");
    CHECK(read("a: \"x\n") == "x.yml:2:1: the file ends inside of a value | close its quotes or brackets");
    CHECK(read("a: \"x") == "x.yml:2:1: the file ends inside of a value | close its quotes or brackets");
    CHECK(read("a: [x\n") == "x.yml:2:1: the file ends inside of a value | close its quotes or brackets");
    CHECK(read("a:\n\tb: 1\n") ==
          "x.yml:2:1: there is a tab here, which YAML takes for no blank | write spaces instead");
    CHECK(read("a: *b\n") ==
          "x.yml:1:4: this is no YAML: the referenced anchor is not defined | correct what stands here or just before");
}

TEST_CASE("yaml: bytes that are no UTF-8 are refused") {
    CHECK(read("a: 1\nb: \xe9\n") == "x.yml:2:4: the byte 0xe9 is no UTF-8 | save the file as UTF-8");
    CHECK(read(std::string("\xff\xfe"
                           "a\0",
                           4)) == "x.yml:1:1: the byte 0xff is no UTF-8 | save the file as UTF-8");
}

TEST_CASE("yaml: a text that ends inside of a character is refused") {
    // The first bytes of the replacement character too, by which others mark what is no UTF-8.
    CHECK(read("\xef\xbf") == "x.yml:1:1: the byte 0xef is no UTF-8 | save the file as UTF-8");
    CHECK(read("a: \xc3") == "x.yml:1:4: the byte 0xc3 is no UTF-8 | save the file as UTF-8");
    CHECK(read("a: \x80") == "x.yml:1:4: the byte 0x80 is no UTF-8 | save the file as UTF-8");
    CHECK(read("a: \xf0\x9f\x98") == "x.yml:1:4: the byte 0xf0 is no UTF-8 | save the file as UTF-8");
    CHECK(read("a: \xf0\x9f\x98\x80") == "{a: \xf0\x9f\x98\x80}");
}

TEST_CASE("yaml: characters on which readers differ are refused") {
    const std::string rest =
        " has no place in a policy, for readers of YAML differ on it | take it out; lines end with a "
        "line feed, with or without a carriage return before it";
    CHECK(read("a: 1\rb: 2") == "x.yml:1:5: the character \\r" + rest);
    CHECK(read(std::string_view("a: \0", 4)) == "x.yml:1:4: the character \\x00" + rest);
    CHECK(read("# c\xe2\x80\xa8"
               "arch_list: x\n") == "x.yml:1:4: the character \\xe2\\x80\\xa8" + rest);
    CHECK(read("a: \xc2\x85\n") == "x.yml:1:4: the character \\xc2\\x85" + rest);
    CHECK(read("a: \xef\xbb\xbf\n") == "x.yml:1:4: the character \xef\xbb\xbf" + rest);
}

TEST_CASE("yaml: the size of a file is bounded") {
    CHECK(read("a: " + std::string(1 << 20, 'x')) ==
          "x.yml:1:1: the file is 1048579 bytes long, and 1048576 is the most | check what the file is");
}

TEST_CASE("yaml: every truncation of a document is read or refused") {
    const std::string text = "a: &a {x: [1, '2'], \"y\\x41\": |\n}\nb: >-\n  folded\n  text\n<<: *a\nc: !!str 1\n";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        CHECK_FALSE(read(std::string_view(text).substr(0, size)).empty());
    }
}

TEST_CASE("yaml: what the fuzzer found is read or refused") {
    const auto corpus = farm_folder("").parent_path().parent_path() / "corpus" / "fuzz_farm_yaml";
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(corpus)) {
        CHECK_FALSE(read(MappedFile(file.path()).view().text()).empty());
        ++count;
    }
    CHECK(count > 0);
}

TEST_CASE("yaml: a map laid over another replaces whole keys") {
    const auto base = parse("a: {x: 1, y: 2}\nb: 1\n");
    const auto over = parse("a: {x: 3}\nc: 4\n");
    CHECK(describe(overlaid(*base, *over)) == "{a: {x: 3}, b: 1, c: 4}");
}

TEST_CASE("yaml_scalar: what Python's reader makes of text without quotes") {
    CHECK(other_reading("12.10") == "the number 12.1");
    CHECK(other_reading("8.0") == "the number 8");
    CHECK(other_reading("13") == "the number 13");
    CHECK(other_reading("1_0.5") == "the number 10.5");
    CHECK(other_reading("-.5") == "");
    CHECK(other_reading(".5") == "the number 0.5");
    CHECK(other_reading("1.e+3") == "the number 1000");
    CHECK(other_reading("1.0e3") == "");
    CHECK(other_reading("010") == "a number to base 2, 8 or 16");
    CHECK(other_reading("0x1F") == "a number to base 2, 8 or 16");
    CHECK(other_reading("1:30") == "a number to base 60");
    CHECK(other_reading(".inf") == "a number");
    CHECK(other_reading("yes") == "the truth value true");
    CHECK(other_reading("Off") == "the truth value false");
    CHECK(other_reading("2024-01-31") == "a date");
    CHECK(other_reading("=") == "a sign with a meaning of its own");
}

TEST_CASE("yaml_scalar: text stays text") {
    for (const char* text : {"", "2.8.0", "v1.0", "8.0 9.0+PTX", "8.0;9.0", "none", "y", "nO", "9.0a", "1.2.3",
                             "446e9360", "0.1.4", "2024-1", "linux", "+", "-", "12.8/2.7", "1e5"}) {
        INFO(text);
        CHECK(other_reading(text).empty());
    }
    CHECK(other_reading(std::string(100'000, '1')).empty());
}

}  // namespace wheelarch
