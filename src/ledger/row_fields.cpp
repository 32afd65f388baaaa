#include "ledger/row_fields.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

const std::vector<std::string> kCompared = {"package", "version", "cuda", "pytorch", "python", "platform"};
const std::vector<std::string> kFurther = {"arch_list",   "build_epoch", "exists_key",
                                           "source_repo", "source_tag",  "source_commit"};
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"torch", "pytorch"}, {"py", "python"}, {"pkg", "package"}, {"cu", "cuda"}};
constexpr std::size_t kMostNamed = 6;

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// `cuda-version`, `CUDA`, `torch_version`: the field that is meant; empty if none is like it.
std::string meant_by(std::string_view field) {
    const std::string lower = lower_case(field);
    std::string_view rest = lower;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of("-_. "), rest.size());
        const std::string_view word = rest.substr(0, end);
        const auto* other = std::find_if(std::begin(kOtherWords), std::end(kOtherWords),
                                         [&](const auto& pair) { return pair.first == word; });
        if (other != std::end(kOtherWords)) {
            return std::string(other->second);
        }
        if (has(kCompared, word)) {
            return std::string(word);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return nearest_name(lower, kCompared);
}

}  // namespace

std::optional<Finding> row_not_understood(std::string_view text) {
    boost::system::error_code failure;
    const json::value parsed = json::parse(text, failure);
    if (failure || !parsed.is_object()) {
        return std::nullopt;
    }
    std::vector<std::string> others;
    std::vector<std::string> meant;
    bool has_further = false;
    for (const auto& [key, value] : parsed.as_object()) {
        if (has(kCompared, key)) {
            return std::nullopt;
        }
        if (has(kFurther, key)) {
            has_further = true;
            continue;
        }
        const std::string name = printable(std::string_view(key).substr(0, 60));
        others.push_back(name);
        if (const std::string field = meant_by(key); !field.empty() && meant.size() < kMostNamed) {
            meant.push_back(fmt::format("`{}` instead of `{}`", field, name));
        }
    }
    // A row that only has the list to ask for says all that it is meant to.
    if (others.empty() || (has_further && meant.empty())) {
        return std::nullopt;
    }
    const std::string known = fmt::format("{}", fmt::join(kCompared, ", "));
    return Finding{"row-not-understood", Severity::warning, "the matrix row",
                   fmt::format("it has none of {}, so the wheel is not compared with it; its fields are {}", known,
                               enumerate(others, kMostNamed)),
                   meant.empty() ? fmt::format("name its fields {}", known)
                                 : fmt::format("did you mean {}?", fmt::join(meant, ", "))};
}

}  // namespace wheelarch
