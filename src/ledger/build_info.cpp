#include "ledger/build_info.hpp"

#include <array>
#include <ctime>
#include <map>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/installed_path.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

json::value text_or_null(std::string_view text) {
    return text.empty() ? json::value() : json::value(valid_utf8(text));
}

json::object archs_json(const ArchSet& archs) {
    json::array sass;
    json::array ptx;
    for (const Arch arch : archs.sass) {
        sass.emplace_back(sass_name(arch));
    }
    for (const Arch arch : archs.ptx) {
        ptx.emplace_back(ptx_name(arch));
    }
    return {{"sass", std::move(sass)}, {"ptx", std::move(ptx)}};
}

// Those with device code, whose archs the stamp vouches for.
json::array members_json(const Inventory& inventory) {
    std::map<std::string, const Sha256Digest*> digests;
    for (const FileDigest& file : inventory.digests) {
        digests[shown_path(file.name)] = &file.sha256;
    }
    json::array members;
    for (const Member& member : inventory.members) {
        if (member.image_count > 0) {
            json::object object = archs_json(member.archs);
            object["path"] = valid_utf8(member.path);
            object["role"] = member.role == Role::vendored ? "vendored" : "extension";
            object["sha256"] = to_hex(*digests.at(member.path));
            object["size"] = member.size;
            members.push_back(std::move(object));
        }
    }
    return members;
}

json::array strings(const std::vector<std::string>& items) {
    json::array array;
    for (const std::string& item : items) {
        array.emplace_back(valid_utf8(item));
    }
    return array;
}

std::string utc_text(std::int64_t seconds) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace

json::object run_facts() {
    constexpr std::array<std::pair<const char*, const char*>, 6> kVariables = {{{"server", "GITHUB_SERVER_URL"},
                                                                                {"repository", "GITHUB_REPOSITORY"},
                                                                                {"run_id", "GITHUB_RUN_ID"},
                                                                                {"run_attempt", "GITHUB_RUN_ATTEMPT"},
                                                                                {"workflow_ref", "GITHUB_WORKFLOW_REF"},
                                                                                {"sha", "GITHUB_SHA"}}};
    const bool in_actions = environment("GITHUB_ACTIONS") == "true";
    json::object run;
    for (const auto& [key, variable] : kVariables) {
        run[key] = text_or_null(in_actions ? environment(variable) : std::string());
    }
    return run;
}

json::object make_build_info(const Inventory& inventory, const BuildInfoInput& input) {
    const BuildFacts& facts = input.facts;
    const Cell& cell = facts.cell;
    return {{"schema", 2},
            {"provenance", input.provenance == Provenance::recorded ? "recorded" : "inferred"},
            {"package", valid_utf8(cell.package)},
            {"version", text_or_null(cell.version)},
            {"cell",
             {{"cuda", text_or_null(cell.cuda)},
              {"pytorch", text_or_null(cell.pytorch)},
              {"python", text_or_null(cell.python)},
              {"platform", text_or_null(cell.platform)}}},
            {"arch_list", text_or_null(facts.arch_list)},
            {"archs", archs_json(observed(inventory))},
            {"build_epoch", facts.build_epoch.value_or(1)},
            {"package_epoch", facts.package_epoch.value_or(0)},
            {"epoch_why", text_or_null(facts.epoch_why)},
            {"exists_key", text_or_null(facts.exists_key)},
            {"expected", input.expected},
            {"defaults_sha256", text_or_null(input.defaults_sha256)},
            {"source",
             {{"repo", text_or_null(facts.source_repo)},
              {"ref", text_or_null(facts.source_ref)},
              {"commit", text_or_null(facts.source_commit)}}},
            {"run", input.run},
            {"toolchain",
             {{"nvcc", text_or_null(input.toolchain.nvcc)},
              {"cuobjdump", text_or_null(input.toolchain.cuobjdump)},
              {"wheelarch", text_or_null(input.toolchain.wheelarch)}}},
            {"witnesses", strings(input.witnesses)},
            {"members", members_json(inventory)}};
}

Entry make_entry(const json::object& build_info, const std::string& file_name, const std::string& sha256,
                 std::uint64_t size, std::int64_t recorded_at) {
    Entry entry;
    entry.json = build_info;
    entry.json["wheel"] = {{"filename", valid_utf8(file_name)}, {"sha256", sha256}, {"size", size}};
    entry.json["recorded_at"] = utc_text(recorded_at);
    return parse_entry(canonical_text(entry.json));
}

json::object make_statement(const Entry& entry) {
    json::object digest = {{"sha256", entry.json.at("wheel").at("sha256")}};
    return {{"_type", "https://in-toto.io/Statement/v1"},
            {"subject", json::array{json::object{{"name", entry.file_name}, {"digest", std::move(digest)}}}},
            {"predicateType", kPredicateType},
            {"predicate", entry.json}};
}

}  // namespace wheelarch
