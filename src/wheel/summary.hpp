// Summary: what the images of one member add up to.
#pragma once

#include "wheel/inventory.hpp"

namespace wheelarch {

// Everything of a Member but its path, role, size and witnesses.
Member summarize(const DeviceCode& code);

}  // namespace wheelarch
