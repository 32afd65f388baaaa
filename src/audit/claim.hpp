// Claim: what a stamp or a ledger entry says of a wheel, read without trust. A stamp lies in a file that anybody may
// have edited: what is not of the form that docs/build-info.schema.json has is an Error that names the key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/arch.hpp"
#include "ledger/build_facts.hpp"
#include "ledger/entry.hpp"
#include "policy/arch_check.hpp"
#include "wheel/role.hpp"

namespace wheelarch {

struct ClaimedMember {
    std::string path;
    Role role = Role::extension;
    std::string sha256;  // lowercase hex
    std::uint64_t size = 0;
    ArchSet archs;
};

struct Claim {
    BuildFacts facts;  // `arch_list` is what was requested
    bool inferred = false;
    ArchSet archs;
    // What it was held to, if that is not its arch list; and whether it says so at all, as older claims do not.
    std::optional<Requirement> held_to;
    bool says_held_to = false;
    std::vector<ClaimedMember> members;
    // Each key with the first bytes of its value's SHA-256, so that two claims can be compared key by key. Null values
    // are left out.
    std::map<std::string, std::uint64_t> keys;
};

// Throws an Error (exit 3).
Claim read_claim(const boost::json::object& build_info);

// A stamp's text. Text that is no JSON object, or more than a bearable size, is an Error (exit 3) too.
inline constexpr std::uint64_t kMostStamp = std::uint64_t{16} << 20U;  // bytes; some thousand members make one
Claim parse_stamp(std::string_view text);

// The keys whose values differ, in order. Of an inferred claim only what was observed counts: nobody knew the rest.
std::vector<std::string> differing_keys(const Claim& left, const Claim& right);

}  // namespace wheelarch
