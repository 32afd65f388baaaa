// The part that assert and gate have in common: the verdict on each wheel, and the one on all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/json/array.hpp>

#include "cli/reading.hpp"
#include "cli/request.hpp"
#include "policy/arch_check.hpp"
#include "report/outcome.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

struct Judged {
    Inventory inventory;
    Verdict verdict;
};

// What a wheel says of itself and what the row says of it, as check_archs has what it holds.
std::vector<Finding> check_identity(const Inventory& inventory, const BuildFacts& facts);

// To count code in data, it must be searched for.
ReadingOptions reading_for(const RequestOptions& request, ReadingOptions reading);

// Judges each wheel and tells the verdict; `whole` judges it as a wheel too.
std::vector<Judged> judge(const std::vector<std::filesystem::path>& wheels, const BuildRequest& request, bool whole,
                          FileReading& reading, Listener& listener);

// Ok if all match, and the reading had no errors.
ExitCode exit_code(const std::vector<Judged>& all, const FileReading& reading);

// The outcome for `wheels` wheels. One: its result itself. Several: all `results`, under one verdict.
Outcome joined(const std::vector<Judged>& all, const FileReading& reading, boost::json::array results,
               std::size_t wheels);

}  // namespace wheelarch
