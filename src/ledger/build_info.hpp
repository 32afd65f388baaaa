// Build info: `_build_info.json`, what a wheel says of how it was built. It is self-declared: a proof is the
// attestation that a workflow makes of it. docs/build-info.schema.json describes every key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "ledger/build_facts.hpp"
#include "ledger/entry.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

enum class Provenance {
    recorded,  // by the build that made the wheel
    inferred,  // by looking at a wheel of which nothing was recorded
};

// Release numbers; empty: not known.
struct Toolchain {
    std::string nvcc;
    std::string cuobjdump;
    std::string wheelarch;
};

// The run that this is part of, from the variables of GitHub Actions; each null elsewhere.
boost::json::object run_facts();

struct BuildInfoInput {
    Provenance provenance = Provenance::recorded;
    BuildFacts facts;
    std::string defaults_sha256;  // of the farm's policy files; empty: no farm
    Toolchain toolchain;
    std::vector<std::string> witnesses;
    boost::json::object run;
    boost::json::value expected;  // as expected_json (ledger/expected.hpp) has it
};

// What is not known is null. The inventory must have been taken with `hash_members`.
boost::json::object make_build_info(const Inventory& inventory, const BuildInfoInput& input);

// The ledger's entry of a wheel with this build info: its hash and size are those of the file as it is published.
// `recorded_at` is in seconds since 1970. Throws an Error (exit 3) if the ledger could not hold it.
Entry make_entry(const boost::json::object& build_info, const std::string& file_name, const std::string& sha256,
                 std::uint64_t size, std::int64_t recorded_at);

// An in-toto Statement v1 whose subject is the wheel and whose predicate is the entry: what a workflow signs.
inline constexpr char kPredicateType[] = "urn:wheelarch:build-info:v1";
boost::json::object make_statement(const Entry& entry);

}  // namespace wheelarch
