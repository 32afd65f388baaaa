#include "policy/resolve.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/torch_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kAarch64 = "linux_aarch64";
constexpr std::string_view kTail = "+PTX";

// The list as the policy has it.
struct Choice {
    const Text* list = nullptr;
    std::string key;          // `arch_list_by_cuda['12.8']`
    bool as_written = false;  // no PTX tail is added
};

std::string cell_of_table(std::string_view table, const std::string& row) {
    return fmt::format("{}['{}']", table, row);
}

std::optional<Choice> from_table(const ArchTable& table, std::string_view name, const std::string& row) {
    const auto found = table.find(row);
    return found == table.end() ? std::nullopt : std::optional(Choice{&found->second, cell_of_table(name, row)});
}

std::optional<Choice> from_package(const ListAndTable& lists, const std::string& name, const std::string& table,
                                   const std::string& cuda) {
    if (auto row = from_table(lists.by_cuda, table, cuda)) {
        return row;
    }
    return lists.list ? std::optional(Choice{&*lists.list, name}) : std::nullopt;
}

std::optional<Choice> from_row(const Package& package, const Cell& cell) {
    const auto found = std::find_if(package.combinations.begin(), package.combinations.end(), [&](const auto& row) {
        return row.cuda == cell.cuda && row.pytorch == cell.pytorch &&
               std::find(row.pythons.begin(), row.pythons.end(), cell.python) != row.pythons.end();
    });
    const bool own = found != package.combinations.end() && found->arch_list;
    return own ? std::optional(Choice{&*found->arch_list, "arch_list of its row"}) : std::nullopt;
}

std::optional<Choice> choose_aarch64(const Farm& farm, const Package& package, const Cell& cell) {
    if (auto own = from_package(package.archs_aarch64, "arch_list_aarch64", "arch_list_by_cuda_aarch64", cell.cuda)) {
        return own;
    }
    auto row = from_table(farm.arch_policy.aarch64, "arch_policy_aarch64", cell.cuda);
    if (row) {
        row->as_written = true;
    }
    return row;
}

std::optional<Choice> choose_x86(const Farm& farm, const Package& package, const Cell& cell) {
    if (auto row = from_row(package, cell)) {
        return row;
    }
    if (auto own = from_package(package.archs, "arch_list", "arch_list_by_cuda", cell.cuda)) {
        return own;
    }
    const std::string pair = cell.cuda + "/" + major_minor(cell.pytorch);
    if (auto exception = from_table(farm.arch_policy.exceptions, "arch_exceptions", pair)) {
        return exception;
    }
    return from_table(farm.arch_policy.rows, "arch_policy", cell.cuda);
}

Error no_list(const Farm& farm, const Cell& cell) {
    const bool aarch64 = cell.platform == kAarch64;
    return bad_usage(fmt::format("no arch list for {}", to_text(cell)),
                     fmt::format("add a row \"{}\": \"…\" to {} in {}", printable(cell.cuda),
                                 aarch64 ? "arch_policy_aarch64" : "arch_policy", farm.arch_policy.file));
}

struct Token {
    std::string_view text;
    std::optional<double> number;  // of a plain decimal number, with or without +PTX
    bool tail = false;
};

Token read_token(std::string_view text) {
    Token token{text, std::nullopt, text.ends_with(kTail)};
    const std::string_view digits = text.substr(0, text.size() - (token.tail ? kTail.size() : 0));
    const std::size_t dot = digits.find('.');
    const auto all_digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (dot != std::string_view::npos && all_digits(digits.substr(0, dot)) && all_digits(digits.substr(dot + 1))) {
        double number = 0;
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        token.number = code == std::errc() ? std::optional(number) : std::nullopt;
    }
    return token;
}

std::vector<Token> read_tokens(std::string_view text) {
    constexpr std::string_view kSeparators = "; \t\r\n\v\f";
    std::vector<Token> tokens;
    std::size_t start = text.find_first_not_of(kSeparators);
    while (start != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, start), text.size());
        tokens.push_back(read_token(text.substr(start, end - start)));
        start = text.find_first_not_of(kSeparators, end);
    }
    return tokens;
}

}  // namespace

std::string with_ptx_tail(const std::string& text) {
    const std::vector<Token> tokens = read_tokens(text);
    const Token* highest = nullptr;
    for (const Token& token : tokens) {
        if (token.number && (highest == nullptr || *token.number > *highest->number)) {
            highest = &token;
        }
    }
    const char separator = text.find(';') != std::string::npos ? ';' : ' ';
    std::string joined;
    for (const Token& token : tokens) {
        joined += joined.empty() ? "" : std::string(1, separator);
        joined += token.text;
        joined += &token == highest && !token.tail ? kTail : "";
    }
    return joined;
}

namespace {

const Text* list_of_all_lines(const Package& package, bool aarch64) {
    const std::optional<Text>& list = aarch64 ? package.archs_aarch64.list : package.archs.list;
    return list ? &*list : nullptr;
}

}  // namespace

ResolvedList resolve_unchecked(const Farm& farm, const Package& package, const Cell& cell) {
    const bool aarch64 = cell.platform == kAarch64;
    const auto choice = aarch64 ? choose_aarch64(farm, package, cell) : choose_x86(farm, package, cell);
    if (!choice) {
        throw no_list(farm, cell);
    }
    const bool tail = farm.arch_policy.ptx_tail && !choice->as_written;
    ResolvedList resolved;
    resolved.text = tail ? with_ptx_tail(choice->list->value) : choice->list->value;
    resolved.place = choice->list->place;
    resolved.source = fmt::format("{} in {}", choice->key, file_and_line(resolved.place));
    resolved.for_all_lines = choice->list == list_of_all_lines(package, aarch64);
    resolved.list = parse_arch_list(resolved.text, resolved.source);
    resolved.findings = resolved.list.findings;
    if (package.links_torch) {
        auto refused = check_torch(resolved.list.archs, parse_torch_version(cell.pytorch), resolved.source);
        std::move(refused.begin(), refused.end(), std::back_inserter(resolved.findings));
    }
    return resolved;
}

ResolvedList resolve(const Farm& farm, const Package& package, const Cell& cell) {
    ResolvedList resolved = resolve_unchecked(farm, package, cell);
    for (const Finding& finding : check_buildable(resolved.list.archs, parse_cuda_version(cell.cuda), "")) {
        if (finding.severity == Severity::error) {
            throw bad_usage(fmt::format("{}: {}", to_text(cell), finding.message), finding.fix).inside(resolved.source);
        }
        resolved.findings.push_back(finding);
        resolved.findings.back().place = resolved.source;
    }
    return resolved;
}

std::optional<ExpectedList> expected_list(const Package& package, const Cell& cell) {
    std::optional<Choice> choice;
    if (cell.platform == kAarch64) {
        choice = from_package(package.expect_archs_aarch64, "expect_archs_aarch64", "expect_archs_by_cuda_aarch64",
                              cell.cuda);
    }
    if (!choice) {
        choice = from_package(package.expect_archs, "expect_archs", "expect_archs_by_cuda", cell.cuda);
    }
    if (!choice) {
        return std::nullopt;
    }
    std::string source = fmt::format("{} in {}", choice->key, file_and_line(choice->list->place));
    ArchList list = parse_arch_list(choice->list->value, source);
    return ExpectedList{std::move(list), std::move(source)};
}

Requirement requirement(const Package& package, const Cell& cell, const ResolvedList& resolved) {
    Requirement required;
    const auto expected = expected_list(package, cell);
    required.list = expected ? expected->list : resolved.list;
    for (const ExpectedMember& member : package.expect_members) {
        required.members.push_back(
            {member.pattern, parse_arch_list(member.list.value, file_and_line(member.list.place))});
    }
    required.device_code_none = package.device_code_none;
    required.count_embedded = package.count_embedded;
    required.jit = package.jit ? package.jit->value : "";
    return required;
}

}  // namespace wheelarch
