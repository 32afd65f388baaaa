#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>

namespace wheelarch {

void Arguments::one(const char* name, std::string& value, const char* help) {
    command_.add_option(name, value, help);
}

void Arguments::one_required(const char* name, std::string& value, const char* help) {
    command_.add_option(name, value, help)->required();
}

void Arguments::any(const char* name, std::vector<std::string>& values, const char* help) {
    command_.add_option(name, values, help);
}

void Arguments::some(const char* name, std::vector<std::string>& values, const char* help) {
    command_.add_option(name, values, help)->required();
}

void Arguments::flag(const char* option, bool& value, const std::string& help) {
    command_.add_flag(option, value, help);
}

void Arguments::text(const char* option, std::string& value, const char* type, const std::string& help) {
    CLI::Option* added = command_.add_option(option, value, help)->type_name(type);
    if (!value.empty()) {
        added->capture_default_str();
    }
}

void Arguments::required_text(const char* option, std::string& value, const char* type, const std::string& help) {
    command_.add_option(option, value, help)->required()->type_name(type);
}

void Arguments::texts(const char* option, std::vector<std::string>& values, const char* type, const std::string& help) {
    command_.add_option(option, values, help)->type_name(type)->allow_extra_args(false);
}

void Arguments::choice(const char* option, std::string& value, const std::vector<std::string>& words, const char* type,
                       const std::string& help) {
    command_.add_option(option, value, help)->check(CLI::IsMember(words))->type_name(type);
}

namespace {

template <typename Number>
void add_number(CLI::App& command, const char* option, Number& value, Number most, const char* type,
                const std::string& help) {
    CLI::Option* added = command.add_option(option, value, help)->check(CLI::Range(Number{1}, most))->type_name(type);
    if (value != 0) {
        added->capture_default_str();
    }
}

}  // namespace

void Arguments::number(const char* option, unsigned& value, unsigned most, const char* type, const std::string& help) {
    add_number(command_, option, value, most, type, help);
}

void Arguments::number(const char* option, std::size_t& value, std::size_t most, const char* type,
                       const std::string& help) {
    add_number(command_, option, value, most, type, help);
}

void Arguments::count(const char* option, unsigned& value, const char* type, const std::string& help) {
    command_.add_option(option, value, help)->capture_default_str()->type_name(type);
}

void Arguments::number(const char* option, std::optional<std::uint64_t>& value, std::uint64_t least, std::uint64_t most,
                       const char* type, const std::string& help) {
    command_.add_option(option, value, help)->check(CLI::Range(least, most))->type_name(type);
}

void Arguments::output(Outputs& outputs, const Format& format, const std::string& help) {
    command_.add_option(format.option, outputs.offer(format), help)->type_name("FILE");
}

void Arguments::needs(const char* option, const char* other) {
    command_.get_option(option)->needs(command_.get_option(other));
}

void Arguments::excludes(const char* option, const char* other) {
    command_.get_option(option)->excludes(command_.get_option(other));
}

}  // namespace wheelarch
