#include "policy/cell.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/version.hpp"
#include "policy/wording.hpp"

namespace wheelarch {

std::string to_text(const Cell& cell) {
    return printable(fmt::format("{}{}{}, CUDA {}, torch {}, Python {}, {}", cell.package,
                                 cell.version.empty() ? "" : " ", cell.version, cell.cuda, cell.pytorch, cell.python,
                                 cell.platform));
}

std::string cuda_line(std::string_view typed) {
    std::string line(typed.substr(typed.starts_with("cu") ? 2 : 0));
    const bool digits = line.size() > 2 && line.find_first_not_of("0123456789") == std::string::npos;
    return digits ? line.insert(2, 1, '.') : line;
}

std::string without_dots(const std::string& version) {
    std::string result = version;
    std::erase(result, '.');
    return result;
}

std::string major_minor(const std::string& version) {
    const auto parsed = parse_major_minor(version);
    return parsed ? fmt::format("{}.{}", parsed->first, parsed->second) : version;
}

}  // namespace wheelarch
