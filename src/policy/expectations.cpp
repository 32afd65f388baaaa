#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/fields.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

// One entry of a list of tables, each with the reason why.
std::string reason_of(const YamlNode& item, const std::string& what) {
    const YamlNode* reason = item.find("reason");
    const std::string text = reason != nullptr ? read_optional_text(*reason, what + ".reason") : "";
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw yaml_error(item.place, fmt::format("an entry of {} has no reason", what),
                         "add reason: and say why it is let pass");
    }
    return text;
}

std::string optional_word(const YamlNode& item, std::string_view key, const std::string& what) {
    std::string word;
    with(item, key,
         [&](const YamlNode& value, const std::string& name) { word = read_word(value, what + "." + name); });
    return word;
}

std::vector<LintIgnore> read_lint_ignore(const YamlNode& node, const std::string& what) {
    std::vector<LintIgnore> ignores;
    for (const auto& item : items_of(node, what)) {
        require_known_keys(*item, "an entry of " + what, {"rule", "path", "reason"});
        LintIgnore ignore{optional_word(*item, "rule", what), optional_word(*item, "path", what),
                          reason_of(*item, what), item->place};
        if (ignore.rule.empty()) {
            throw yaml_error(item->place, fmt::format("an entry of {} has no rule", what),
                             "add rule: with the id of the lint rule, such as arch-gate");
        }
        ignores.push_back(std::move(ignore));
    }
    return ignores;
}

std::vector<ExpectedHollow> read_expect_hollow(const YamlNode& node, const std::string& what) {
    std::vector<ExpectedHollow> expected;
    for (const auto& item : items_of(node, what)) {
        require_known_keys(*item, "an entry of " + what, {"kernel", "archs", "reason"});
        ExpectedHollow hollow{optional_word(*item, "kernel", what), std::nullopt, reason_of(*item, what), item->place};
        with(*item, "archs", [&](const YamlNode& value, const std::string& key) {
            hollow.archs = read_arch_list(value, fmt::format("{}.{}", what, key));
        });
        expected.push_back(std::move(hollow));
    }
    return expected;
}

std::vector<ExpectedMember> read_expect_members(const YamlNode& node, const std::string& what) {
    std::vector<ExpectedMember> members;
    for (const YamlNode::Entry& entry : entries_of(node, what)) {
        members.push_back({read_word(*entry.key, "a key of " + what),
                           read_arch_list(*entry.value, fmt::format("{}['{}']", what, shortened(entry.key->text)))});
    }
    return members;
}

bool read_device_code_none(const YamlNode& node, const std::string& what) {
    const std::string word = read_text(node, what);
    if (word != "none" && word != "required") {
        throw yaml_error(node.place, fmt::format("{} is {}, none or required is expected", what, in_quotes(word)),
                         "write none for a wheel without device code, or take the key out");
    }
    return word == "none";
}

}  // namespace

ListAndTable read_lists(const YamlNode& node, const std::string& name, const std::string& table) {
    ListAndTable lists;
    with(node, name, [&](const YamlNode& value, const std::string& what) { lists.list = read_arch_list(value, what); });
    with(node, table, [&](const YamlNode& value, const std::string& what) {
        lists.by_cuda = read_arch_table(value, what, read_cuda);
    });
    return lists;
}

// What the binary is to hold, and what of it is let pass.
void read_expectations(const YamlNode& node, Package& package) {
    package.expect_archs = read_lists(node, "expect_archs", "expect_archs_by_cuda");
    package.expect_archs_aarch64 = read_lists(node, "expect_archs_aarch64", "expect_archs_by_cuda_aarch64");
    with_own(node, "expect_members", [&](const YamlNode& value, const std::string& what) {
        package.expect_members = read_expect_members(value, what);
    });
    with_own(node, "device_code", [&](const YamlNode& value, const std::string& what) {
        package.device_code_none = read_device_code_none(value, what);
        const bool archs = package.expect_archs.list || !package.expect_archs.by_cuda.empty();
        if (package.device_code_none && archs) {
            throw yaml_error(value.place, "device_code is none, but expect_archs says what it holds",
                             "take one of them out");
        }
    });
    with_own(node, "count_embedded",
             [&](const YamlNode& value, const std::string& what) { package.count_embedded = read_flag(value, what); });
    with_own(node, "jit", [&](const YamlNode& value, const std::string& what) {
        package.jit = Text{read_text(value, what), value.place};
        if (package.jit->value.find_first_not_of(" \t\r\n") == std::string::npos) {
            throw yaml_error(value.place, "jit is empty", "say why the kernels are compiled at run time");
        }
    });
    with_own(node, "expect_hollow", [&](const YamlNode& value, const std::string& what) {
        package.expect_hollow = read_expect_hollow(value, what);
    });
    with_own(node, "lint_ignore", [&](const YamlNode& value, const std::string& what) {
        package.lint_ignore = read_lint_ignore(value, what);
    });
}

}  // namespace wheelarch
