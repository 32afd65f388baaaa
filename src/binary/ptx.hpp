// PTX: NVIDIA's assembly text, which the driver compiles for a device (JIT). Syntax as in the "PTX ISA" document.
#pragma once

#include "base/arch.hpp"
#include "base/byte_view.hpp"

namespace wheelarch {

// Does `file` begin as PTX: a `.version` directive behind white space and comments?
bool is_ptx(ByteView file) noexcept;

// The arch of its `.target` directive; throws an Error if there is none.
Arch ptx_arch(ByteView file);

// Does it define a kernel or function: `.entry` or `.func` with a body?
bool ptx_has_code(ByteView file) noexcept;

}  // namespace wheelarch
