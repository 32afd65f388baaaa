#pragma once

#include <cstdlib>
#include <string>

namespace wheelarch {

// The value of an environment variable; empty if it is not set.
inline std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Sets it for this program and what it starts.
inline void set_environment(const char* name, const std::string& value) {
#ifdef _WIN32
    ::_putenv_s(name, value.c_str());
#else
    ::setenv(name, value.c_str(), 1);
#endif
}

}  // namespace wheelarch
