#include "audit/recorded_claims.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/json_bound.hpp"
#include "base/text.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

std::string text_in(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

// Of a replaced entry only what is understood counts: it explains, and judges nothing.
std::vector<EarlierBuild> history_of(const json::object& entry) {
    std::vector<EarlierBuild> builds;
    const json::value* history = entry.if_contains("history");
    if (history == nullptr || !history->is_array()) {
        return builds;
    }
    for (const json::value& item : history->as_array()) {
        const json::object* replaced = item.if_object();
        const json::value* wheel = replaced == nullptr ? nullptr : replaced->if_contains("wheel");
        if (wheel == nullptr || !wheel->is_object()) {
            continue;
        }
        const json::value* epoch = replaced->if_contains("build_epoch");
        const bool is_epoch = epoch != nullptr && epoch->is_int64() && epoch->as_int64() > 0;
        builds.push_back({text_in(wheel->as_object(), "sha256"), text_in(*replaced, "recorded_at"),
                          is_epoch ? std::optional(static_cast<std::uint64_t>(epoch->as_int64())) : std::nullopt});
    }
    return builds;
}

Role role_by_path(std::string_view path, std::string_view distribution) {
    return is_runtime(path, distribution) || is_repaired_in(path) ? Role::vendored : Role::extension;
}

RecordedClaim recorded_claim(const Entry& entry) {
    RecordedClaim recorded;
    recorded.file_name = entry.file_name;
    recorded.package = entry.package;
    recorded.recorded_at = text_in(entry.json, "recorded_at");
    const json::object& wheel = entry.json.at("wheel").as_object();
    recorded.sha256 = text_in(wheel, "sha256");
    recorded.size = wheel.at("size").to_number<std::uint64_t>();
    recorded.valid_for = valid_for(entry);
    recorded.epoch = recorded.valid_for.epochs;
    recorded.claim = read_claim(entry.json);
    recorded.history = history_of(entry.json);
    const std::string distribution = parse_wheel_name(entry.file_name).distribution;
    for (const ClaimedMember& member : recorded.claim.members) {
        if (member.role != role_by_path(member.path, distribution)) {
            recorded.roles[member.path] = member.role;
        }
    }
    recorded.claim.members = {};
    return recorded;
}

// Nothing for what is no wheel's name.
std::optional<std::string> canonical_or_none(std::string_view wheel_name) {
    try {
        return canonical_name(parse_wheel_name(wheel_name));
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

RecordedClaims::RecordedClaims(const std::vector<std::string>& wheel_names) {
    for (const std::string& name : wheel_names) {
        if (const auto key = canonical_or_none(name)) {
            asked_[*key].push_back(name);
        }
    }
}

RecordedClaims::RecordedClaims(const Ledger& ledger, const std::vector<std::string>& wheel_names)
    : RecordedClaims(wheel_names) {
    ledger.each_text([&](const std::string& path, const Ledger::ReadText& read) { consider(path, read); });
}

void RecordedClaims::add(const std::string& path, const std::string& text) {
    consider(path, [&] { return text; });
}

// As Ledger::find chooses: the name itself before another spelling of it, and the package's own folder before others.
void RecordedClaims::consider(const std::string& path, const Ledger::ReadText& read) {
    constexpr std::string_view kSuffix = ".json";
    const std::size_t slash = path.rfind('/') + 1;
    const std::string wheel = path.substr(slash, path.size() - slash - kSuffix.size());
    const auto key = canonical_or_none(wheel);
    const auto asked = key ? asked_.find(*key) : asked_.end();
    if (asked == asked_.end()) {
        return;
    }
    const bool exact = std::find(asked->second.begin(), asked->second.end(), wheel) != asked->second.end();
    const bool home = path.substr(0, path.find('/')) == normal_name(wheel.substr(0, wheel.find('-')));
    const int rank = 1 + (exact ? 2 : 0) + (home ? 1 : 0);
    Found& found = found_[*key];
    if (rank <= found.rank) {
        found.others.push_back(printable(path));
        return;
    }
    std::vector<std::string> others = std::move(found.others);
    if (found.rank > 0) {
        others.push_back(std::move(found.path));
    }
    found = {.claim = {}, .problem = {}, .rank = rank, .path = printable(path), .others = std::move(others)};
    try {
        const std::string text = read();
        require_few_values(text);
        RecordedClaim claim = recorded_claim(parse_entry(text));
        if (canonical_or_none(claim.file_name) != key) {
            throw unchecked(fmt::format("it holds the record of {}", printable(claim.file_name)),
                            "take the file off the branch; `wheelarch ledger record` writes to the right one");
        }
        found.claim = std::move(claim);
    } catch (Error& error) {
        found.problem = error.inside("the ledger's " + printable(path));
    }
}

std::vector<std::string> RecordedClaims::passed_over(std::string_view wheel_name) const {
    const auto key = canonical_or_none(wheel_name);
    const auto found = key ? found_.find(*key) : found_.end();
    return found == found_.end() ? std::vector<std::string>() : found->second.others;
}

const RecordedClaim* RecordedClaims::find(std::string_view wheel_name) const {
    const auto key = canonical_or_none(wheel_name);
    const auto found = key ? found_.find(*key) : found_.end();
    if (found == found_.end()) {
        return nullptr;
    }
    if (found->second.problem) {
        throw Error(*found->second.problem);
    }
    return &*found->second.claim;
}

}  // namespace wheelarch
