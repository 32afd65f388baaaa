// RecordedClaims: what the ledger says of the wheels that are audited, read once. Threads may ask it at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "audit/claim.hpp"
#include "base/error.hpp"
#include "ledger/ledger.hpp"
#include "wheel/role.hpp"

namespace wheelarch {

// A build of the same file name that the ledger had before.
struct EarlierBuild {
    std::string sha256;
    std::string recorded_at;
    std::optional<std::uint64_t> epoch;
};

struct RecordedClaim {
    std::string file_name;
    std::string package;
    std::string recorded_at;
    std::string sha256;  // of the wheel
    std::uint64_t size = 0;
    BuiltAt valid_for;  // the latest epochs
    Epochs epoch;       // the same, as they count for its package of today
    Claim claim;        // without its members
    // Members whose role is not what their path says: what `gate` was told with --exclude and --include.
    std::map<std::string, Role> roles;
    std::vector<EarlierBuild> history;  // newest first
};

class RecordedClaims {
public:
    // Keeps only the entries of these wheels. An entry that cannot be read fails when it is asked for.
    RecordedClaims(const Ledger& ledger, const std::vector<std::string>& wheel_names);
    // The same of entries that are at hand: path on the branch and text.
    explicit RecordedClaims(const std::vector<std::string>& wheel_names);
    void add(const std::string& path, const std::string& text);

    // The record under any spelling of the name; null if there is none. Throws an Error (exit 3) if it cannot be read.
    const RecordedClaim* find(std::string_view wheel_name) const;
    // Paths of further entries that are this wheel's by their names, fit to be printed: one file of each wheel counts.
    std::vector<std::string> passed_over(std::string_view wheel_name) const;

private:
    void consider(const std::string& path, const Ledger::ReadText& read);

    struct Found {
        std::optional<RecordedClaim> claim;
        std::optional<Error> problem;
        int rank = 0;  // how sure it is that the file is this wheel's
        std::string path;
        std::vector<std::string> others;
    };
    std::unordered_map<std::string, std::vector<std::string>> asked_;  // canonical name to names as given
    std::unordered_map<std::string, Found> found_;                     // by canonical name
};

}  // namespace wheelarch
