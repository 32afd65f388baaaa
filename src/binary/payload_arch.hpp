// What the payload of an image says of its arch, beside what its entry header says. fatbinary packs what it is told to
// and compares little of it; the driver goes by the header.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/arch.hpp"
#include "base/byte_view.hpp"
#include "base/finding.hpp"
#include "binary/fatbin.hpp"

namespace wheelarch {

// `header-differs` if the cubin or PTX was built for another arch than `filed`. Not compared is what cannot be known: a
// cubin of an unknown ABI, PTX whose head has no `.target`, and the `f` of a cubin that does not keep the command line
// of ptxas. Tile kernels are compared by number, as nvcc files code for 9.0a and 10.0a under 9.0 and 10.0f. `payload`
// is the opened image; of PTX the head is enough. `offset` is that of the stored payload in the file.
std::optional<Finding> header_difference(ImageKind kind, Arch filed, std::uint64_t offset, ByteView payload);

// Is one of these such a finding?
bool has_header_difference(const std::vector<Finding>& findings);

}  // namespace wheelarch
