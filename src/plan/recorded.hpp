// Recorded: what the ledger says of all wheels, in the form that exists-check and plan ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ledger/entry.hpp"

namespace wheelarch {

struct RecordedWheel {
    std::string package;  // the folder in the ledger
    std::string file_name;
    std::string arch_list;  // as it was requested; empty: not known, or nothing
    std::string recorded_at;
    bool inferred = false;
    std::uint64_t epoch = 1;  // the latest that it is valid for
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

}  // namespace wheelarch
