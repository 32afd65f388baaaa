#include "audit/claim.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <boost/json/parse.hpp>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "base/json_bound.hpp"
#include "base/sha256.hpp"
#include "ledger/expected.hpp"
#include "wheel/installed_path.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kClaimForm[] = "expected a build info as `wheelarch gate` writes it";
constexpr std::uint64_t kLargeStamp = std::uint64_t{1} << 20U;  // bytes

[[noreturn]] void wrong_claim(std::string_view key, std::string_view expected) {
    throw unchecked(fmt::format("'{}' is not {}", key, expected), kClaimForm);
}

const json::value& at(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr) {
        throw unchecked(fmt::format("'{}' is not there", key), kClaimForm);
    }
    return *value;
}

std::string text_at(const json::object& object, std::string_view key) {
    const json::value& value = at(object, key);
    if (!value.is_string()) {
        wrong_claim(key, "text");
    }
    return std::string(value.as_string());
}

std::string text_or_empty(const json::object& object, std::string_view key) {
    return at(object, key).is_null() ? std::string() : text_at(object, key);
}

const json::object& object_at(const json::object& object, std::string_view key) {
    const json::value& value = at(object, key);
    if (!value.is_object()) {
        wrong_claim(key, "an object");
    }
    return value.as_object();
}

std::uint64_t count_at(const json::object& object, std::string_view key) {
    const json::value& value = at(object, key);
    if (!value.is_int64() || value.as_int64() < 0) {
        wrong_claim(key, "a whole number");
    }
    return static_cast<std::uint64_t>(value.as_int64());
}

std::set<Arch> arch_names(const json::object& object, std::string_view key, std::string_view prefix) {
    const json::value& value = at(object, key);
    if (!value.is_array()) {
        wrong_claim(key, "a list of archs");
    }
    std::set<Arch> archs;
    for (const json::value& item : value.as_array()) {
        const std::string_view text = item.is_string() ? std::string_view(item.as_string()) : "";
        const auto arch =
            text.starts_with(prefix) ? parse_bare_arch(text.substr(prefix.size())) : std::optional<Arch>();
        if (!arch) {
            wrong_claim(key, fmt::format("a list of archs such as {}90", prefix));
        }
        archs.insert(*arch);
    }
    return archs;
}

ArchSet archs_at(const json::object& object) {
    return {arch_names(object, "sass", "sm_"), arch_names(object, "ptx", "compute_")};
}

ClaimedMember member_of(const json::value& value) {
    if (!value.is_object()) {
        wrong_claim("members", "a list of objects");
    }
    const json::object& object = value.as_object();
    ClaimedMember member;
    member.path = shown_path(text_at(object, "path"));
    const std::string role = text_at(object, "role");
    if (role != "extension" && role != "vendored") {
        wrong_claim("role", "`extension` or `vendored`");
    }
    member.role = role == "vendored" ? Role::vendored : Role::extension;
    member.sha256 = text_at(object, "sha256");
    member.size = count_at(object, "size");
    member.archs = archs_at(object);
    return member;
}

BuildFacts facts_at(const json::object& build_info) {
    BuildFacts facts;
    const json::object& cell = object_at(build_info, "cell");
    facts.cell = {text_at(build_info, "package"), text_or_empty(build_info, "version"),
                  text_or_empty(cell, "cuda"),    text_or_empty(cell, "pytorch"),
                  text_or_empty(cell, "python"),  text_or_empty(cell, "platform")};
    facts.arch_list = text_or_empty(build_info, "arch_list");
    facts.build_epoch = count_at(build_info, "build_epoch");
    return facts;
}

// What only the ledger adds to a build info.
bool is_of_entry(std::string_view key) {
    return key == "wheel" || key == "recorded_at" || key == "history" || key == "valid_for_epoch";
}

std::uint64_t first_bytes(const json::value& value) {
    const Sha256Digest digest = sha256_of(canonical_text(value));
    return ByteView(digest.data(), digest.size()).u64(0, "digest");
}

void read_held_to(Claim& claim, const json::object& build_info) {
    const json::value* expected = build_info.if_contains("expected");
    claim.says_held_to = expected != nullptr;
    if (expected != nullptr && !expected->is_null()) {
        claim.held_to = read_expected(object_at(build_info, "expected"), claim.facts.arch_list);
    }
}

bool is_observed(std::string_view key) {
    return key == "archs" || key == "members";
}

}  // namespace

Claim read_claim(const json::object& build_info) {
    Claim claim;
    const std::uint64_t schema = count_at(build_info, "schema");
    if (schema < 1 || schema > 2) {
        throw unchecked("its 'schema' is neither 1 nor 2", "use a newer wheelarch");
    }
    claim.facts = facts_at(build_info);
    if (schema > 1) {
        claim.facts.package_epoch = count_at(build_info, "package_epoch");
    }
    const std::string provenance = text_at(build_info, "provenance");
    if (provenance != "recorded" && provenance != "inferred") {
        wrong_claim("provenance", "`recorded` or `inferred`");
    }
    claim.inferred = provenance == "inferred";
    claim.archs = archs_at(object_at(build_info, "archs"));
    const json::value& members = at(build_info, "members");
    if (!members.is_array()) {
        wrong_claim("members", "a list");
    }
    std::transform(members.as_array().begin(), members.as_array().end(), std::back_inserter(claim.members), member_of);
    read_held_to(claim, build_info);
    for (const json::key_value_pair& pair : build_info) {
        if (!is_of_entry(pair.key()) && !pair.value().is_null()) {
            claim.keys[std::string(pair.key())] = first_bytes(pair.value());
        }
    }
    return claim;
}

Claim parse_stamp(std::string_view text) {
    if (text.size() > kMostStamp) {
        throw unchecked(fmt::format("more than {} bytes", kMostStamp), kClaimForm);
    }
    // A large one may take much more as values: one at a time then, however many threads there are.
    static std::mutex large;
    const std::unique_lock<std::mutex> lock =
        text.size() > kLargeStamp ? std::unique_lock(large) : std::unique_lock<std::mutex>();
    require_few_values(text);
    boost::system::error_code failure;
    const json::value value = json::parse(text, failure);
    if (failure || !value.is_object()) {
        throw unchecked(failure ? "not JSON: " + failure.message() : std::string("not a JSON object"), kClaimForm);
    }
    return read_claim(value.as_object());
}

std::vector<std::string> differing_keys(const Claim& left, const Claim& right) {
    std::set<std::string> keys;
    for (const Claim* claim : {&left, &right}) {
        for (const auto& [key, digest] : claim->keys) {
            keys.insert(key);
        }
    }
    const bool only_observed = left.inferred || right.inferred;
    const auto value = [](const Claim& claim, const std::string& key) {
        const auto found = claim.keys.find(key);
        return found == claim.keys.end() ? std::optional<std::uint64_t>() : std::optional(found->second);
    };
    std::vector<std::string> differing;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(differing), [&](const std::string& key) {
        return (!only_observed || is_observed(key)) && value(left, key) != value(right, key);
    });
    return differing;
}

}  // namespace wheelarch
