#include "lint/build/file_targets.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "lint/build/cmake_lexer.hpp"
#include "lint/build/nvcc_targets.hpp"
#include "lint/loaded.hpp"
#include "policy/arch_list.hpp"
#include "wheel/role.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostVariables = 20'000;
constexpr std::size_t kMostFiles = 20'000;  // of one variable
constexpr std::size_t kLongestList = 400;
constexpr std::size_t kDeepestIncludes = 32;

// They name archs or sources, and build nothing.
constexpr std::array<std::string_view, 13> kAside = {"if",      "elseif",       "else",
                                                     "endif",   "while",        "message",
                                                     "foreach", "install",      "execute_process",
                                                     "option",  "find_package", "cmake_minimum_required",
                                                     "return"};

bool is_aside(const std::string& name) {
    return std::find(kAside.begin(), kAside.end(), name) != kAside.end();
}

bool compiles_device_code(std::string_view path) {
    return path.ends_with(".cu");
}

bool is_known(Arch arch) {
    return passes_where([&](Arch known) { return known == arch; }) != kNoPass;
}

// `9.0a;10.0f+PTX`, if every item is an arch with a dot. A number such as 90 is mostly none.
std::optional<ArchSet> archs_in(std::string_view text) {
    const bool may_be = !text.empty() && text.size() <= kLongestList && text.find('.') != std::string_view::npos &&
                        text.find_first_not_of("0123456789.afPTX+; ") == std::string_view::npos;
    if (!may_be) {
        return std::nullopt;
    }
    try {
        ArchSet archs = parse_arch_list(text, "").archs;
        const bool known = std::all_of(archs.sass.begin(), archs.sass.end(), is_known);
        return known && !archs.empty() ? std::optional(std::move(archs)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

void join(ArchSet& archs, const ArchSet& more) {
    archs.add(more);
}

// A source file or a pattern for such, relative to the sources; empty for other text.
std::string file_in(std::string_view text, const std::string& folder) {
    for (const std::string_view here : {"${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/", "./"}) {
        text.remove_prefix(text.starts_with(here) ? here.size() : 0);
    }
    const bool plain = text.find_first_of("$<>{}") == std::string_view::npos && compiles_device_code(text);
    return plain ? folder + std::string(text) : std::string();
}

// Calls `use` with each `;`-separated item of an argument.
template <typename Use>
void for_each_item(std::string_view text, const Use& use) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// The needs that `archs`, which a file is built for, leaves open.
bool is_open(const ArchNeed& need, const ArchSet& archs) {
    if (need.kind == ArchNeed::Kind::floor) {
        return lowest_below(archs, need.at.number).has_value();
    }
    if (need.kind == ArchNeed::Kind::not_plain) {
        return plain_in(archs, need.at.number).has_value();
    }
    const Loaded::How how = load_for(archs, need).how;
    return how == Loaded::How::lower_sass || how == Loaded::How::lower_ptx;
}

}  // namespace

void FileTargets::add_script(std::string_view path, std::string_view text) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string_view::npos ? "" : std::string(path.substr(0, slash + 1));
    for (const CMakeCommand& command : lex_cmake(text)) {
        if (!is_aside(command.name) && !command.arguments.empty()) {
            take(command, folder);
        }
    }
    found_.clear();
}

void FileTargets::take(const CMakeCommand& command, const std::string& folder) {
    Variable named;    // all that the command names
    ArchSet literals;  // of it, archs as they stand
    for (const CMakeArgument& argument : command.arguments) {
        if (const auto archs = archs_in(argument.text)) {
            join(literals, *archs);
        } else if (argument.text.find("arch=") != std::string_view::npos) {
            join(literals, nvcc_targets(argument.text));  // `COMPILE_OPTIONS "-gencode=arch=compute_89,code=sm_89"`
        }
        for_each_item(argument.text, [&](std::string_view item) {
            if (std::string file = file_in(item, folder); !file.empty()) {
                named.files.insert(std::move(file));
            }
            if (item.starts_with("${") && item.ends_with('}')) {
                const auto found = variables_.find(item.substr(2, item.size() - 3));
                if (found != variables_.end() && named.files.size() < kMostFiles) {
                    named.files.insert(found->second.files.begin(), found->second.files.end());
                    join(named.archs, found->second.archs);
                }
            }
        });
    }
    const bool assigns = command.name == "set" || command.name == "list" || command.name == "file";
    if (!assigns && !named.files.empty()) {
        join(named.archs, literals);
        for (const std::string& file : named.files) {
            if (!named.archs.empty()) {
                join(given_[file][command.name], named.archs);
            }
        }
        return;
    }
    const std::size_t target = command.name == "list" || command.name == "file" ? 1 : 0;
    if (target >= command.arguments.size() || variables_.size() >= kMostVariables) {
        return;
    }
    const std::string_view name = command.arguments[target].text;
    // What is made of archs that stand there is made of nothing else.
    const ArchSet& archs = literals.empty() ? named.archs : literals;
    if (archs.empty() && named.files.empty()) {
        return;
    }
    Variable& variable = variables_[std::string(name.substr(0, 200))];
    join(variable.archs, archs);
    variable.files.insert(named.files.begin(), named.files.end());
}

const ArchSet* FileTargets::named(std::string_view path) const {
    if (given_.empty() || !compiles_device_code(path)) {
        return nullptr;
    }
    const auto [place, is_new] = found_.try_emplace(std::string(path));
    if (is_new) {
        for (const auto& [pattern, by_command] : given_) {
            if (!matches(pattern, path)) {
                continue;
            }
            for (const auto& [command, archs] : by_command) {
                const bool fewer = place->second.empty() || archs.sass.size() < place->second.sass.size();
                place->second = fewer ? archs : place->second;
            }
        }
    }
    return place->second.empty() ? nullptr : &place->second;
}

ArchMask FileTargets::passes(std::string_view path) const {
    const ArchSet* archs = named(path);
    if (archs == nullptr) {
        return every_pass();
    }
    return passes_where([&](Arch arch) {
        const bool by_ptx = std::any_of(archs->ptx.begin(), archs->ptx.end(), [&](Arch ptx) {
            return ptx.suffix == '\0' && arch.suffix == '\0' && arch.number >= ptx.number;
        });
        return by_ptx || archs->sass.contains(arch) || archs->ptx.contains(arch);
    });
}

void FileTargets::narrow(std::vector<ArchNeed>& needs, const std::string& path, const Includers& includers) const {
    std::set<std::string> seen;
    ArchSet archs;
    if (built_for(path, includers, seen, archs) && !archs.empty()) {
        std::erase_if(needs, [&](const ArchNeed& need) { return !is_open(need, archs); });
    }
}

// None if some file that is built for whatever is asked includes it.
bool FileTargets::built_for(const std::string& path, const Includers& includers, std::set<std::string>& seen,
                            ArchSet& archs) const {
    if (const ArchSet* own = named(path)) {
        join(archs, *own);
        return true;
    }
    if (compiles_device_code(path) || seen.size() > kDeepestIncludes * kDeepestIncludes) {
        return false;
    }
    const std::vector<std::string>& files = includers(path);
    return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
        const bool host = file.ends_with(".cpp") || file.ends_with(".cc") || file.ends_with(".c");
        return host || !seen.insert(file).second || built_for(file, includers, seen, archs);
    });
}

}  // namespace wheelarch
