// Arguments: the options and positional arguments of one command, as it declares them. Parsing is CLI11's. An option
// whose value is not empty (not 0) when it is declared shows that as its default.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "report/format.hpp"

namespace CLI {
class App;
}

namespace wheelarch {

class Arguments {
public:
    explicit Arguments(CLI::App& command) : command_(command) {}

    // Positional ones, named as the help shows them.
    void one(const char* name, std::string& value, const char* help);
    void one_required(const char* name, std::string& value, const char* help);
    void any(const char* name, std::vector<std::string>& values, const char* help);
    void some(const char* name, std::vector<std::string>& values, const char* help);  // at least one

    // `--option`, with what the help calls its value.
    void flag(const char* option, bool& value, const std::string& help);
    void text(const char* option, std::string& value, const char* type, const std::string& help);
    void required_text(const char* option, std::string& value, const char* type, const std::string& help);
    void texts(const char* option, std::vector<std::string>& values, const char* type, const std::string& help);
    void choice(const char* option, std::string& value, const std::vector<std::string>& words, const char* type,
                const std::string& help);
    void number(const char* option, unsigned& value, unsigned most, const char* type, const std::string& help);
    void number(const char* option, std::size_t& value, std::size_t most, const char* type, const std::string& help);
    // Any, and its default is shown.
    void count(const char* option, unsigned& value, const char* type, const std::string& help);
    // From `least` to `most`.
    void number(const char* option, std::optional<std::uint64_t>& value, std::uint64_t least, std::uint64_t most,
                const char* type, const std::string& help);
    // Where the result goes in this format.
    void output(Outputs& outputs, const Format& format, const std::string& help);

    // The first makes no sense without the second, or with it.
    void needs(const char* option, const char* other);
    void excludes(const char* option, const char* other);

private:
    CLI::App& command_;
};

}  // namespace wheelarch
