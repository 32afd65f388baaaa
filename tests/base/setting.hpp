// A variable of the environment that is set, or not there, while the object lives.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace wheelarch {

class Setting {
public:
    Setting(const char* name, const std::optional<std::string>& value) : name_(name) {
        if (const char* old = std::getenv(name)) {
            old_ = old;
        }
        set(value);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { set(old_); }

private:
    void set(const std::optional<std::string>& value) {
#ifdef _WIN32
        ::_putenv_s(name_, value ? value->c_str() : "");  // there is no empty variable on Windows
#else
        value ? ::setenv(name_, value->c_str(), 1) : ::unsetenv(name_);
#endif
    }

    const char* name_;
    std::optional<std::string> old_;
};

}  // namespace wheelarch
