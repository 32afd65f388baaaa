// Summary: what the images of one member add up to.
#pragma once

#include "wheel/inventory.hpp"

namespace wheelarch {

// Everything of a Member but its path, role, size and witnesses. `file` is what `code` was read from.
Member summarize(const DeviceCode& code, ByteView file);

// Adds a notice for what of it the runtime does not register.
void note_outside(Member& member);

}  // namespace wheelarch
