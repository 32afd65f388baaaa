#include "ledger/build_info.hpp"

#include <string>

#include <doctest/doctest.h>
#include <boost/json/parse.hpp>

#include "base/error.hpp"
#include "base/setting.hpp"
#include "support/cubin_builder.hpp"
#include "support/temporary_folder.hpp"
#include "support/wheel_builder.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

Inventory inventory_of(const WheelSpec& spec) {
    const TemporaryFolder folder;
    return take_inventory(folder.write(kWheelName, build_wheel(spec)), {.hash_members = true});
}

json::object info_of(const BuildInfoInput& input) {
    return make_build_info(inventory_of({}), input);
}

TEST_CASE("the run's facts are those of GitHub Actions") {
    const Setting actions("GITHUB_ACTIONS", "true");
    const Setting server("GITHUB_SERVER_URL", "https://example.org");
    const Setting repository("GITHUB_REPOSITORY", "example-org/farm");
    const Setting id("GITHUB_RUN_ID", "12");
    const Setting attempt("GITHUB_RUN_ATTEMPT", "2");
    const Setting workflow("GITHUB_WORKFLOW_REF",
                           "example-org/farm/.github/workflows/x.yml@refs/heads/\xff::error::\n");
    const Setting sha("GITHUB_SHA", "");
    CHECK(run_facts() ==
          json::object{{"server", "https://example.org"},
                       {"repository", "example-org/farm"},
                       {"run_id", "12"},
                       {"run_attempt", "2"},
                       {"workflow_ref", "example-org/farm/.github/workflows/x.yml@refs/heads/\xef\xbf\xbd::error::\n"},
                       {"sha", nullptr}});
}

TEST_CASE("outside of GitHub Actions they are not known, whatever the variables say") {
    const Setting actions("GITHUB_ACTIONS", "");
    const Setting id("GITHUB_RUN_ID", "12");
    const json::object run = run_facts();
    CHECK(run.size() == 6);
    for (const auto& pair : run) {
        CHECK(pair.value().is_null());
    }
}

TEST_CASE("what is not known is null") {
    const json::object info = info_of({});
    CHECK(info.size() == 18);
    for (const char* key : {"version", "arch_list", "exists_key", "expected", "defaults_sha256"}) {
        CAPTURE(key);
        CHECK(info.at(key).is_null());
    }
    for (const char* key : {"cell", "source", "toolchain"}) {
        for (const auto& pair : info.at(key).as_object()) {
            CHECK(pair.value().is_null());
        }
    }
    CHECK(info.at("provenance") == "recorded");
    CHECK(info.at("build_epoch") == 1);
    CHECK(info.at("archs") == json::value({{"sass", json::array{}}, {"ptx", json::array{}}}));
    CHECK(info.at("members") == json::array{});
    BuildInfoInput inferred;
    inferred.provenance = Provenance::inferred;
    CHECK(info_of(inferred).at("provenance") == "inferred");
}

TEST_CASE("text of a row that is not UTF-8 does not reach the stamp") {
    BuildInfoInput input;
    input.facts.cell.package = "\xff";
    input.facts.source_ref = "v1\xc3";
    input.witnesses = {"\xfe"};
    const std::string text = canonical_text(info_of(input));
    CHECK(json::parse(text).at("package") == "\xef\xbf\xbd");
    CHECK(json::parse(text).at("source").at("ref") == "v1\xef\xbf\xbd");
}

TEST_CASE("the members are those with device code, and how they were found") {
    const std::string cubin = build_cubin({});
    const Inventory inventory = inventory_of({.files = {{.name = "pkg/k.cubin", .content = cubin},
                                                        {.name = "pkg/__init__.py", .content = "1"},
                                                        {.name = "pkg.libs/libother.cubin", .content = cubin}}});
    const json::array members = make_build_info(inventory, {}).at("members").as_array();
    REQUIRE(members.size() == 2);
    CHECK(members[0].at("path") == "pkg/k.cubin");
    CHECK(members[0].at("role") == "extension");
    CHECK(members[0].at("sha256") == json::value(to_hex(sha256_of(cubin))));
    CHECK(members[0].at("size") == cubin.size());
    CHECK(members[0].at("sass").as_array().size() == 1);
    CHECK(members[1].at("role") == "vendored");
}

TEST_CASE("an entry is the build info, the wheel and the time") {
    BuildInfoInput input;
    input.facts.cell.package = "pkg";
    const json::object info = info_of(input);
    const Entry entry = make_entry(info, kWheelName, std::string(64, 'a'), 5, 1'769'860'800);
    CHECK(entry.package == "pkg");
    CHECK(entry.json.size() == info.size() + 2);
    CHECK(entry.json.at("recorded_at") == "2026-01-31T12:00:00Z");
    CHECK(entry.json.at("wheel") ==
          json::value({{"filename", kWheelName}, {"sha256", std::string(64, 'a')}, {"size", 5}}));
    for (const auto& pair : info) {
        CHECK(entry.json.at(pair.key()) == pair.value());
    }
}

TEST_CASE("an entry that the ledger would refuse is not made") {
    BuildInfoInput input;
    input.facts.cell.package = "../x";
    CHECK_THROWS_WITH_AS(make_entry(info_of(input), kWheelName, std::string(64, 'a'), 5, 0),
                         "'package' is not a package name of letters, digits, `.`, `_` and `-`", Error);
}

TEST_CASE("a statement is an in-toto Statement v1 about the wheel") {
    BuildInfoInput input;
    input.facts.cell.package = "pkg";
    const Entry entry = make_entry(info_of(input), kWheelName, std::string(64, 'a'), 5, 0);
    const json::object statement = make_statement(entry);
    CHECK(statement.size() == 4);
    CHECK(statement.at("_type") == "https://in-toto.io/Statement/v1");
    CHECK(statement.at("predicateType") == kPredicateType);
    CHECK(statement.at("predicate") == entry.json);
    CHECK(statement.at("subject") ==
          json::value(json::array{{{"name", kWheelName}, {"digest", {{"sha256", std::string(64, 'a')}}}}}));
}

}  // namespace
}  // namespace wheelarch
