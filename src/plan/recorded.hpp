// Recorded: what the ledger says of all wheels, in the form that exists-check and plan ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/finding.hpp"
#include "ledger/entry.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

struct RecordedWheel {
    std::string package;  // the folder in the ledger
    std::string file_name;
    std::string arch_list;  // as it was requested; empty: not known, or nothing
    std::string recorded_at;
    bool inferred = false;
    BuiltAt valid_for = {};       // the latest epochs
    std::string sha256 = {};      // of the wheel
    std::string source_ref = {};  // that it was built from; empty: not known
};

RecordedWheel recorded_wheel(const Entry& entry);

class Recorded {
public:
    void add(RecordedWheel wheel);

    // The record of a wheel, under any spelling of its name; null if there is none.
    const RecordedWheel* find(std::string_view file_name) const;
    const std::vector<RecordedWheel>& wheels() const noexcept { return wheels_; }

private:
    std::vector<RecordedWheel> wheels_;
    std::unordered_map<std::string, std::size_t> by_name_;  // canonical
};

// `epoch-went-back`: a counter is below the highest that the ledger has for it, so that a number would stand for two
// things. Nothing may go by such a policy.
std::vector<Finding> epochs_gone_back(const Farm& farm, const Recorded& recorded);

}  // namespace wheelarch
