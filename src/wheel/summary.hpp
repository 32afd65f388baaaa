// Summary: what the images of one member add up to.
#pragma once

#include "wheel/inventory.hpp"

namespace wheelarch {

// Everything of a Member but its path, role, size and witnesses. `file` is what `code` was read from.
Member summarize(const DeviceCode& code, ByteView file);

}  // namespace wheelarch
