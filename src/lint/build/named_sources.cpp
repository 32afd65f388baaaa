#include "lint/build/named_sources.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/text.hpp"
#include "lint/build/cmake_lexer.hpp"
#include "lint/build/python_lexer.hpp"
#include "lint/build/scan.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kLongestPath = 1000;
constexpr std::array<std::string_view, 5> kEndings = {".cu", ".cpp", ".cc", ".cxx", ".c"};

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

class Named {
public:
    explicit Named(const std::string& script) : folder_(std::filesystem::path(script).parent_path()) {}

    void take(std::string_view text) {
        for (const std::string_view here : {"${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/"}) {
            text.remove_prefix(text.starts_with(here) ? here.size() : 0);
        }
        const bool source = std::any_of(kEndings.begin(), kEndings.end(),
                                        [&](std::string_view ending) { return text.ends_with(ending); });
        if (!source || text.size() > kLongestPath || text.find_first_of("*?$<>{}\n") != std::string_view::npos) {
            return;
        }
        const std::string path = (folder_ / text).lexically_normal().generic_string();
        if (!path.starts_with('/') && !path.starts_with("../")) {
            paths_.push_back(path);
        }
    }

    std::vector<std::string> paths() { return std::move(paths_); }

private:
    std::filesystem::path folder_;
    std::vector<std::string> paths_;
};

// Does anything in the text end as a source does, before what is no letter?
bool has_ending(std::string_view text) {
    const auto ends_source = [](std::string_view rest) {
        return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
            return rest.starts_with(ending) && (rest.size() == ending.size() || !is_word_byte(rest[ending.size()]));
        });
    };
    std::size_t at = find_part(text, ".c");
    while (at != std::string_view::npos && !ends_source(text.substr(at))) {
        at = find_part(text, ".c", at + 1);
    }
    return at != std::string_view::npos;
}

void in_python(std::string_view text, Named& named) {
    if (!has_ending(text) || !(has_part(text, "Extension(") || has_part(text, "load("))) {
        return;
    }
    for (const PyToken& token : lex_python(text)) {
        if (token.kind == PyToken::Kind::string && !token.formatted) {
            named.take(token.text);
        }
    }
}

void in_cmake(std::string_view text, Named& named) {
    for (const CMakeCommand& command : lex_cmake(text)) {
        const bool makes_library =
            has_any(command.name, {"library", "module", "extension"}) || command.name == "target_sources";
        // `add_library(test_helpers …)` is built for the tests.
        const bool aside = command.arguments.empty() ||
                           has_any(lower_case(command.arguments.front().text), {"test", "bench", "example"});
        if (makes_library && !aside) {
            for (const CMakeArgument& argument : command.arguments) {
                named.take(argument.text);
            }
        }
    }
}

}  // namespace

std::vector<std::string> named_sources(const SourceFile& file) {
    Named named(file.path);
    if (file.language == SourceFile::Language::python) {
        in_python(file.text, named);
    } else if (file.language == SourceFile::Language::cmake) {
        in_cmake(file.text, named);
    }
    return named.paths();
}

}  // namespace wheelarch
