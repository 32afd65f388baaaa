// Entries come from other jobs, and a ledger's from anybody who may push: only what is checked is relied on.
#include "ledger/entry.hpp"

#include <functional>

#include <doctest/doctest.h>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

const std::string kWheel = "pkg-1.0-cp312-cp312-linux_x86_64.whl";

json::object good() {
    return {{"schema", 1},
            {"provenance", "recorded"},
            {"package", "pkg"},
            {"arch_list", "8.0"},
            {"archs", {{"sass", json::array{"sm_80"}}, {"ptx", json::array{}}}},
            {"build_epoch", 1},
            {"wheel", {{"filename", kWheel}, {"sha256", std::string(64, 'a')}, {"size", 1}}},
            {"recorded_at", "2026-01-31T12:00:00Z"}};
}

Entry made(const std::function<void(json::object&)>& edit = {}) {
    json::object object = good();
    if (edit) {
        edit(object);
    }
    return parse_entry(json::serialize(object));
}

// What is said of the text: without the fix, which is always the same but for the schema number.
std::string refusal(std::string_view text) {
    try {
        parse_entry(text);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        CHECK_FALSE(error.fix().empty());
        return error.what();
    }
    return "taken";
}

std::string refusal_with(std::string_view key, const json::value& value) {
    json::object object = good();
    object[key] = value;
    return refusal(json::serialize(object));
}

std::string refusal_with_wheel(std::string_view key, const json::value& value) {
    json::object object = good();
    object["wheel"].as_object()[key] = value;
    return refusal(json::serialize(object));
}

TEST_CASE("an entry has its place in the ledger") {
    const Entry entry = made();
    CHECK(entry.package == "pkg");
    CHECK(entry.file_name == kWheel);
    CHECK(ledger_path(entry) == "pkg/" + kWheel + ".json");
    CHECK(entry.json == good());
}

TEST_CASE("keys that are not known are kept") {
    CHECK(made([](json::object& object) { object["later"] = 1; }).json.at("later") == 1);
}

TEST_CASE("what is no entry") {
    CHECK(refusal("") == "not JSON: incomplete JSON");
    CHECK(refusal("[]") == "not a JSON object");
    CHECK(refusal("{}") == "'schema' is not a number");
    CHECK(refusal("{\"schema\":1}\n{}") == "not JSON: extra data");
    CHECK(refusal("\xff\xfe") == "not JSON: syntax error");
    CHECK(refusal("{\"schema\":\"\xff\"}") == "not JSON: syntax error");
    CHECK(refusal(std::string(100'000, '[')) == "not JSON: too deep");
}

TEST_CASE("the text of an entry cut anywhere is refused") {
    const std::string text = canonical_text(good());
    for (std::size_t size = 0; size + 1 < text.size() - 1; ++size) {
        CHECK(refusal(text.substr(0, size)) == "not JSON: incomplete JSON");
    }
}

TEST_CASE("other schema numbers") {
    CHECK(refusal_with("schema", 2) == "'package_epoch' is not a whole number from 0 on");
    CHECK(refusal_with("schema", 3) == "its schema is 3, this version reads up to 2");
    CHECK(refusal_with("schema", 0) == "'schema' is not a number");
    CHECK(refusal_with("schema", "1") == "'schema' is not a number");
    CHECK(refusal_with("schema", 1.5) == "'schema' is not a number");
}

TEST_CASE("a package is one part of a path") {
    const std::string refused = "'package' is not a package name of letters, digits, `.`, `_` and `-`";
    for (const char* name : {"", ".", "..", ".git", "../x", "a/b", "a\\b", "/a", "-x", "a b", "a\nb", "C:", "\u00e9"}) {
        CAPTURE(name);
        CHECK(refusal_with("package", name) == refused);
    }
    CHECK(refusal_with("package", json::string("a\0b", 3)) == refused);
    CHECK(refusal_with("package", json::string(251, 'a')) == refused);
    CHECK(refusal_with("package", 5) == "'package' is not a package name");
    CHECK(refusal_with("package", "flash-attn.2_x") == "taken");
}

TEST_CASE("a wheel's file name is one part of a path, and one of a wheel") {
    const std::string refused = "'wheel.filename' is not the name of a wheel file";
    for (const std::string& name :
         {"../" + kWheel, "/" + kWheel, "." + kWheel, "-" + kWheel, std::string(300, 'a') + kWheel}) {
        CAPTURE(name);
        CHECK(refusal_with_wheel("filename", json::value(name)) == refused);
    }
    CHECK(refusal_with_wheel("filename", "x.whl") ==
          "wheel.filename: the wheel's file name has 1 field between its dashes, expected 5 or 6");
    CHECK(refusal_with_wheel("filename", "pkg-1!2.0+cu128-1a-py2.py3-none-any.whl") == "taken");
}

TEST_CASE("each field that is relied on") {
    CHECK(refusal_with("provenance", "::error::x") == "'provenance' is not `recorded` or `inferred`");
    CHECK(refusal_with("provenance", "inferred") == "taken");
    CHECK(refusal_with("arch_list", 8) == "'arch_list' is not an arch list or null");
    CHECK(refusal_with("arch_list", nullptr) == "taken");
    CHECK(refusal_with("build_epoch", 0) == "'build_epoch' is not a whole number from 1 on");
    CHECK(refusal_with("build_epoch", 1.5) == "'build_epoch' is not a whole number from 1 on");
    CHECK(refusal_with("archs", nullptr) == "'archs' is not an object");
    CHECK(refusal_with("archs", {{"sass", json::array{}}}) == "'archs.ptx' is not a list of archs");
    CHECK(refusal_with("archs", {{"sass", json::array{80}}, {"ptx", json::array{}}}) ==
          "'archs.sass' is not a list of archs");
    CHECK(refusal_with("recorded_at", "2026-01-31") == "'recorded_at' is not a time such as 2026-01-31T12:00:00Z");
    CHECK(refusal_with("recorded_at", 0) == "'recorded_at' is not a time such as 2026-01-31T12:00:00Z");
    CHECK(refusal_with("wheel", json::array{}) == "'wheel' is not an object");
    CHECK(refusal_with_wheel("sha256", json::string(64, 'A')) == "'wheel.sha256' is not a SHA-256 in lowercase hex");
    CHECK(refusal_with_wheel("sha256", json::string(63, 'a')) == "'wheel.sha256' is not a SHA-256 in lowercase hex");
    CHECK(refusal_with_wheel("size", -1) == "'wheel.size' is not a number of bytes");
    CHECK(refusal_with_wheel("size", 1e3) == "'wheel.size' is not a number of bytes");
}

TEST_CASE("the stored text: sorted keys, objects on lines of their own") {
    const json::value value = {{"b", json::array{1, "\u00e9"}},
                               {"a", {{"z", nullptr}, {"y", json::object()}}},
                               {"c", json::array{json::object{{"k", true}}, json::array{}}}};
    CHECK(canonical_text(value) ==
          "{\n"
          "  \"a\": {\n"
          "    \"y\": {},\n"
          "    \"z\": null\n"
          "  },\n"
          "  \"b\": [1, \"\u00e9\"],\n"
          "  \"c\": [\n"
          "    {\n"
          "      \"k\": true\n"
          "    },\n"
          "    []\n"
          "  ]\n"
          "}\n");
}

TEST_CASE("the stored text is the same whatever the order and the white space it came in") {
    const std::string text = canonical_text(good());
    CHECK(canonical_text(json::parse(text)) == text);
    json::object backwards;
    const json::object object = good();
    for (auto pair = object.end(); pair != object.begin();) {
        --pair;
        backwards[pair->key()] = pair->value();
    }
    CHECK(canonical_text(backwards) == text);
}

TEST_CASE("when it was recorded, and what it replaced, is no part of a record") {
    CHECK(same_record(made(), made([](json::object& object) {
                          object["recorded_at"] = "2027-01-31T12:00:00Z";
                          object["history"] = json::array{1};
                      })));
    CHECK_FALSE(same_record(made(), made([](json::object& object) { object["build_epoch"] = 2; })));
    CHECK_FALSE(same_record(made(), made([](json::object& object) { object["later"] = 1; })));
}

TEST_CASE("a replaced entry goes to the front of the history") {
    const Entry oldest = made();
    const Entry old = replacing(made([](json::object& object) { object["build_epoch"] = 2; }), oldest);
    const Entry entry = replacing(made([](json::object& object) { object["build_epoch"] = 3; }), old);
    const json::array& history = entry.json.at("history").as_array();
    REQUIRE(history.size() == 2);
    CHECK(entry.json.at("build_epoch") == 3);
    CHECK(history[0].at("build_epoch") == 2);
    CHECK(history[1].at("build_epoch") == 1);
    CHECK(history[1] == json::value({{"arch_list", "8.0"},
                                     {"archs", good().at("archs")},
                                     {"build_epoch", 1},
                                     {"package_epoch", nullptr},
                                     {"provenance", "recorded"},
                                     {"recorded_at", "2026-01-31T12:00:00Z"},
                                     {"run", nullptr},
                                     {"wheel", good().at("wheel")}}));
}

TEST_CASE("a history holds the newest hundred") {
    Entry entry = made();
    for (int epoch = 2; epoch <= 150; ++epoch) {
        entry = replacing(made([&](json::object& object) { object["build_epoch"] = epoch; }), entry);
    }
    const json::array& history = entry.json.at("history").as_array();
    REQUIRE(history.size() == 100);
    CHECK(history.front().at("build_epoch") == 149);
    CHECK(history.back().at("build_epoch") == 50);
}

TEST_CASE("a history that is none is left behind") {
    const Entry old = made([](json::object& object) { object["history"] = "::error::"; });
    CHECK(replacing(made(), old).json.at("history").as_array().size() == 1);
}

}  // namespace
}  // namespace wheelarch
