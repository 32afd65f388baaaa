#include "audit/claim.hpp"

#include <doctest/doctest.h>

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "ledger/expected.hpp"
#include "policy/arch_list.hpp"

namespace json = boost::json;
using namespace wheelarch;

namespace {

json::object build_info() {
    return {{"schema", 1},
            {"provenance", "recorded"},
            {"package", "pkg"},
            {"version", "1.0"},
            {"cell", {{"cuda", "13.0"}, {"pytorch", "2.9.0"}, {"python", nullptr}, {"platform", "linux"}}},
            {"arch_list", "8.0;9.0+PTX"},
            {"archs", {{"sass", {"sm_80", "sm_90"}}, {"ptx", {"compute_90"}}}},
            {"build_epoch", 2},
            {"expected", nullptr},
            {"run", {{"run_id", "7"}}},
            {"members", json::array{json::object{{"path", "pkg/_C.so"},
                                                 {"role", "vendored"},
                                                 {"sha256", std::string(64, 'a')},
                                                 {"size", 5},
                                                 {"sass", {"sm_80"}},
                                                 {"ptx", json::array()}}}}};
}

Claim without(const char* key) {
    json::object object = build_info();
    object.erase(key);
    return read_claim(object);
}

Claim with(const char* key, json::value value) {
    json::object object = build_info();
    object[key] = std::move(value);
    return read_claim(object);
}

}  // namespace

TEST_CASE("claim: everything that is read") {
    const Claim claim = read_claim(build_info());
    CHECK(claim.facts.cell == Cell{"pkg", "1.0", "13.0", "2.9.0", "", "linux"});
    CHECK(claim.facts.arch_list == "8.0;9.0+PTX");
    CHECK(claim.facts.build_epoch == 2);
    CHECK_FALSE(claim.inferred);
    CHECK(to_text(claim.archs) == "sm_80 sm_90 compute_90");
    CHECK_FALSE(claim.held_to.has_value());
    CHECK(claim.says_held_to);
    REQUIRE(claim.members.size() == 1);
    CHECK(claim.members[0].role == Role::vendored);
    CHECK(to_text(claim.members[0].archs) == "sm_80");
    CHECK_FALSE(without("expected").says_held_to);
}

TEST_CASE("claim: a key that is wrong is named") {
    for (const char* key :
         {"schema", "provenance", "package", "version", "cell", "arch_list", "archs", "build_epoch", "members"}) {
        CAPTURE(key);
        CHECK_THROWS_WITH_AS(without(key), ("'" + std::string(key) + "' is not there").c_str(), Error);
    }
    CHECK_THROWS_WITH_AS(with("archs", {{"sass", {"sm_80"}}, {"ptx", {"sm_80"}}}),
                         "'ptx' is not a list of archs such as compute_90", Error);
    CHECK_THROWS_WITH_AS(with("archs", {{"sass", {"sm_8000000000000000000"}}, {"ptx", json::array()}}),
                         "'sass' is not a list of archs such as sm_90", Error);
    CHECK_THROWS_WITH_AS(with("members", {1, 2}), "'members' is not a list of objects", Error);
    CHECK_THROWS_WITH_AS(with("build_epoch", -1), "'build_epoch' is not a whole number", Error);
    CHECK_THROWS_WITH_AS(with("cell", 7), "'cell' is not an object", Error);
    CHECK_THROWS_WITH_AS(with("schema", 3), "its 'schema' is neither 1 nor 2", Error);
    CHECK_THROWS_WITH_AS(with("schema", 2), "'package_epoch' is not there", Error);
}

TEST_CASE("claim: a stamp cut short anywhere is an Error or the same claim") {
    const std::string text = json::serialize(build_info());
    for (std::size_t size = 0; size < text.size(); ++size) {
        CHECK_THROWS_AS(parse_stamp(text.substr(0, size)), Error);
    }
    CHECK(parse_stamp(text + "\n").facts.arch_list == "8.0;9.0+PTX");
    CHECK_THROWS_WITH_AS(parse_stamp("[]"), "not a JSON object", Error);
    CHECK_THROWS_AS(parse_stamp(std::string(kMostStamp + 1, ' ')), Error);
    CHECK_THROWS_AS(parse_stamp(std::string(100'000, '[')), Error);
}

TEST_CASE("claim: which keys differ") {
    const Claim claim = read_claim(build_info());
    CHECK(differing_keys(claim, without("expected")).empty());  // null and not there are the same
    CHECK(differing_keys(claim, with("recorded_at", "2026-01-31T12:00:00Z")).empty());
    CHECK(differing_keys(claim, with("run", {{"run_id", "8"}})) == std::vector<std::string>{"run"});
    CHECK(differing_keys(claim, with("more", 1)) == std::vector<std::string>{"more"});
    // An inferred entry does not know what the stamp knows, but it has seen what is in the wheel.
    json::object inferred = build_info();
    inferred["provenance"] = "inferred";
    inferred["arch_list"] = nullptr;
    inferred["run"] = json::object{{"run_id", nullptr}};
    CHECK(differing_keys(claim, read_claim(inferred)).empty());
    inferred["archs"] = json::object{{"sass", {"sm_80"}}, {"ptx", json::array()}};
    CHECK(differing_keys(claim, read_claim(inferred)) == std::vector<std::string>{"archs"});
}

TEST_CASE("expected: what a wheel was held to, there and back") {
    Requirement requirement;
    requirement.list = parse_arch_list("9.0+PTX;8.0", "test");
    CHECK(expected_json(requirement, "8.0 9.0+PTX").is_null());
    requirement.members = {{"*.so", parse_arch_list("9.0a", "test")}};
    const json::value members = expected_json(requirement, "8.0;9.0+PTX");
    CHECK(json::serialize(members) ==
          R"({"archs":null,"device_code":"required","jit":null,"members":{"*.so":"9.0a"}})");
    const Requirement read = read_expected(members.as_object(), "8.0;9.0+PTX");
    CHECK(read.list.archs == requirement.list.archs);
    REQUIRE(read.members.size() == 1);
    CHECK(to_text(read.members[0].list.archs) == "sm_90a");
    const json::value other = expected_json(requirement, "8.0");
    CHECK(other.at("archs") == "8.0;9.0+PTX");
    requirement = {};
    requirement.device_code_none = true;
    const json::value none = expected_json(requirement, "");
    CHECK(json::serialize(none) == R"({"archs":null,"device_code":"none","jit":null,"members":{}})");
    CHECK(read_expected(none.as_object(), "").device_code_none);
    CHECK_THROWS_WITH_AS(read_expected({{"device_code", "maybe"}}, ""),
                         "'expected.device_code' is not `none` or `required`", Error);
    CHECK_THROWS_WITH_AS(read_expected({{"device_code", "none"}, {"members", {{"x", "9.0.a"}}}}, ""),
                         doctest::Contains("'expected.members['x']' is no arch list: "), Error);
}
