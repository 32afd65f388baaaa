#include "ledger/expected.hpp"

#include <string>

#include <fmt/format.h>
#include <boost/json/object.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kForm[] = "expected what `wheelarch gate` writes: archs, device_code, jit and members";

[[noreturn]] void wrong_expected(std::string_view key, std::string_view expected) {
    throw unchecked(fmt::format("'expected.{}' is not {}", key, expected), kForm);
}

// Null or text; a key that is not there is null.
std::string text_of(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr || value->is_null()) {
        return {};
    }
    if (!value->is_string()) {
        wrong_expected(key, "text or null");
    }
    return std::string(value->as_string());
}

// What a list in a record asks for; one that nobody could have been held to is damage, and no bad usage.
ArchList recorded_list(std::string_view text, const std::string& key) {
    try {
        return parse_arch_list(text, "expected." + key);
    } catch (const Error& error) {
        throw unchecked(fmt::format("'expected.{}' is no arch list: {}", key, error.problem()), kForm);
    }
}

}  // namespace

json::value expected_json(const Requirement& requirement, std::string_view arch_list) {
    const bool judged = !requirement.device_code_none && requirement.jit.empty();
    const bool same_list =
        !judged ||
        (!arch_list.empty() && parse_arch_list(arch_list, "the requested arch list").archs == requirement.list.archs);
    if (judged && same_list && requirement.members.empty() && !requirement.count_embedded) {
        return nullptr;
    }
    json::object members;
    for (const MemberExpectation& member : requirement.members) {
        if (!members.contains(member.pattern)) {  // the first one that matches counts
            members[valid_utf8(member.pattern)] = canonical(member.list);
        }
    }
    json::object expected{{"archs", same_list ? json::value() : json::value(canonical(requirement.list))},
                          {"device_code", requirement.device_code_none ? "none" : "required"},
                          {"jit", requirement.jit.empty() ? json::value() : json::value(valid_utf8(requirement.jit))},
                          {"members", std::move(members)}};
    if (requirement.count_embedded) {
        expected["count_embedded"] = true;
    }
    return expected;
}

Requirement read_expected(const json::object& expected, std::string_view arch_list) {
    Requirement requirement;
    const std::string archs = text_of(expected, "archs");
    if (!archs.empty() || !arch_list.empty()) {
        requirement.list = recorded_list(archs.empty() ? arch_list : archs, "archs");
    }
    const std::string device_code = text_of(expected, "device_code");
    if (device_code != "none" && device_code != "required") {
        wrong_expected("device_code", "`none` or `required`");
    }
    requirement.device_code_none = device_code == "none";
    requirement.jit = text_of(expected, "jit");
    if (const json::value* embedded = expected.if_contains("count_embedded"); embedded != nullptr) {
        if (!embedded->is_bool()) {
            wrong_expected("count_embedded", "true or false");
        }
        requirement.count_embedded = embedded->as_bool();
    }
    const json::value* members = expected.if_contains("members");
    if (members == nullptr || !members->is_object()) {
        wrong_expected("members", "an object");
    }
    for (const json::key_value_pair& pair : members->as_object()) {
        const std::string key = fmt::format("members['{}']", printable(pair.key()));
        if (!pair.value().is_string()) {
            wrong_expected(key, "an arch list");
        }
        requirement.members.push_back(
            {std::string(pair.key()), recorded_list(std::string_view(pair.value().as_string()), key)});
    }
    return requirement;
}

}  // namespace wheelarch
