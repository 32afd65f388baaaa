#pragma once

#include <cstdlib>
#include <string>

namespace wheelarch {

// The value of an environment variable; empty if it is not set.
inline std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace wheelarch
