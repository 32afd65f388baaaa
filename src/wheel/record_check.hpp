// RECORD against the files of the wheel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "wheel/inventory.hpp"
#include "wheel/record.hpp"

namespace wheelarch {

// Of RECORD itself and its signatures nobody can list a hash.
bool is_exempt(std::string_view path, std::string_view dist_info);

// Each file must have a row with its true hash, and each row its file. The place of each finding is the path alone; a
// RECORD with very many faults is cut short by a last finding that counts the rest.
std::vector<Finding> check_record(const Record& record, const std::vector<FileDigest>& files,
                                  std::string_view dist_info);

}  // namespace wheelarch
