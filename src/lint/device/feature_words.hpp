// Words of device code that stand for a feature of the hardware (feature_names.hpp), as facts.
#pragma once

#include "lint/device/walked_file.hpp"

namespace wheelarch {

bool is_feature(std::string_view word, bool has_digit);
// Nothing for a word that is none.
void collect_feature(WalkedFile& file, const CudaToken& word);

}  // namespace wheelarch
