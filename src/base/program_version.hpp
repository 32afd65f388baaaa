#pragma once

namespace wheelarch {

// The project's version, `0.1.0`.
const char* program_version();

}  // namespace wheelarch
