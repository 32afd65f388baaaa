#include "ledger/entry.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ledger/expected.hpp"
#include "policy/arch_list.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::int64_t kNewestSchema = 2;
constexpr std::size_t kMostHistory = 100;
constexpr char kMadeBy[] = "expected an entry as `wheelarch gate` or `ledger backfill` writes it";

// What a later reader of the ledger needs to know of an entry that was replaced.
constexpr std::array<std::string_view, 8> kKeptOfOld = {"arch_list",  "archs",       "build_epoch", "package_epoch",
                                                        "provenance", "recorded_at", "run",         "wheel"};

[[noreturn]] void wrong(std::string_view key, std::string_view expected) {
    throw unchecked(fmt::format("'{}' is not {}", key, expected), kMadeBy);
}

const json::value* find(const json::object& object, std::string_view key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &found->value();
}

// `key` may be of an object within the entry, whose name is shown before it.
std::string text_at(const json::object& object, std::string_view key, std::string_view expected,
                    std::string_view within = "") {
    const json::value* value = find(object, key);
    if (value == nullptr || !value->is_string()) {
        wrong(fmt::format("{}{}", within, key), expected);
    }
    return std::string(value->as_string());
}

const json::object& object_at(const json::object& object, std::string_view key) {
    const json::value* value = find(object, key);
    if (value == nullptr || !value->is_object()) {
        wrong(key, "an object");
    }
    return value->as_object();
}

bool is_count(const json::value* value, std::int64_t least) {
    return value != nullptr && (value->is_uint64() || (value->is_int64() && value->as_int64() >= least));
}

bool is_epoch(const json::value* value) {
    return is_count(value, 1) && value->is_int64() && value->as_int64() <= kMostEpoch;
}

bool is_own_epoch(const json::value* value) {
    return is_count(value, 0) && value->is_int64() && value->as_int64() <= kMostEpoch;
}

// A number alone is that of schema 1.
bool is_valid_for(const json::value& value) {
    const json::object* pair = value.if_object();
    return pair == nullptr ? is_epoch(&value) : is_epoch(find(*pair, "farm")) && is_own_epoch(find(*pair, "package"));
}

void check_schema(const json::object& object) {
    const json::value* schema = find(object, "schema");
    if (!is_count(schema, 1)) {
        wrong("schema", "a number");
    }
    if (!schema->is_int64() || schema->as_int64() > kNewestSchema) {
        throw unchecked(
            fmt::format("its schema is {}, this version reads up to {}", json::serialize(*schema), kNewestSchema),
            "use a newer wheelarch");
    }
}

bool is_sha256(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// `2026-11-30T12:34:56Z`.
bool is_time(std::string_view text) {
    constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
    return text.size() == kForm.size() && std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
               return form == '0' ? c >= '0' && c <= '9' : c == form;
           });
}

void check_archs(const json::object& archs) {
    for (const std::string_view kind : {"sass", "ptx"}) {
        const json::value* names = find(archs, kind);
        if (names == nullptr || !names->is_array() ||
            !std::all_of(names->as_array().begin(), names->as_array().end(),
                         [](const json::value& item) { return item.is_string(); })) {
            wrong(fmt::format("archs.{}", kind), "a list of archs");
        }
    }
}

bool is_arch_list(const json::value& value) {
    if (!value.is_string()) {
        return false;
    }
    try {
        parse_arch_list(std::string_view(value.as_string()), "arch_list");
        return true;
    } catch (const Error&) {
        return false;
    }
}

void check_fields(const json::object& object) {
    const std::string provenance = text_at(object, "provenance", "`recorded` or `inferred`");
    if (provenance != "recorded" && provenance != "inferred") {
        wrong("provenance", "`recorded` or `inferred`");
    }
    const json::value* arch_list = find(object, "arch_list");
    if (arch_list == nullptr || !(arch_list->is_null() || is_arch_list(*arch_list))) {
        wrong("arch_list", "an arch list or null");
    }
    if (!is_epoch(find(object, "build_epoch"))) {
        wrong("build_epoch", "a whole number from 1 on");
    }
    if (object.at("schema") != 1 && !is_own_epoch(find(object, "package_epoch"))) {
        wrong("package_epoch", "a whole number from 0 on");
    }
    if (object.contains("valid_for_epoch") && !is_valid_for(*find(object, "valid_for_epoch"))) {
        wrong("valid_for_epoch", "a pair of epochs, farm and package");
    }
    check_archs(object_at(object, "archs"));
    if (const json::value* expected = find(object, "expected"); expected != nullptr && !expected->is_null()) {
        read_expected(object_at(object, "expected"),
                      arch_list->is_null() ? "" : std::string_view(arch_list->as_string()));
    }
    if (!is_time(text_at(object, "recorded_at", "a time such as 2026-01-31T12:00:00Z"))) {
        wrong("recorded_at", "a time such as 2026-01-31T12:00:00Z");
    }
}

std::string read_file_name(const json::object& wheel) {
    const std::string name = text_at(wheel, "filename", "the name of a wheel file", "wheel.");
    if (!is_ledger_name(name)) {
        wrong("wheel.filename", "the name of a wheel file");
    }
    inside("wheel.filename", [&] { parse_wheel_name(name); });
    if (!is_sha256(text_at(wheel, "sha256", "a SHA-256 in lowercase hex", "wheel."))) {
        wrong("wheel.sha256", "a SHA-256 in lowercase hex");
    }
    if (!is_count(find(wheel, "size"), 0)) {
        wrong("wheel.size", "a number of bytes");
    }
    return name;
}

void write(std::string& out, const json::value& value, std::size_t depth);

bool holds_object(const json::value& value) {
    return value.is_object() || (value.is_array() && std::any_of(value.as_array().begin(), value.as_array().end(),
                                                                 [](const json::value& v) { return holds_object(v); }));
}

void new_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(2 * depth, ' ');
}

void write_object(std::string& out, const json::object& object, std::size_t depth) {
    std::vector<const json::key_value_pair*> pairs;
    for (const json::key_value_pair& pair : object) {
        pairs.push_back(&pair);
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const auto* left, const auto* right) { return left->key() < right->key(); });
    out += '{';
    for (const json::key_value_pair* pair : pairs) {
        out += pair == pairs.front() ? "" : ",";
        new_line(out, depth + 1);
        out += json::serialize(json::value(pair->key())) + ": ";
        write(out, pair->value(), depth + 1);
    }
    if (!pairs.empty()) {
        new_line(out, depth);
    }
    out += '}';
}

void write_array(std::string& out, const json::array& array, std::size_t depth, bool on_lines) {
    out += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
        out += i == 0 ? "" : on_lines ? "," : ", ";
        if (on_lines) {
            new_line(out, depth + 1);
        }
        write(out, array[i], depth + 1);
    }
    if (on_lines) {
        new_line(out, depth);
    }
    out += ']';
}

void write(std::string& out, const json::value& value, std::size_t depth) {
    if (value.is_object()) {
        write_object(out, value.as_object(), depth);
    } else if (value.is_array()) {
        write_array(out, value.as_array(), depth, holds_object(value));
    } else {
        out += json::serialize(value);
    }
}

json::object without_when(const Entry& entry) {
    json::object object = entry.json;
    object.erase("recorded_at");
    object.erase("history");
    object.erase("valid_for_epoch");
    return object;
}

}  // namespace

bool is_ledger_name(std::string_view name) {
    constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-!";
    constexpr std::size_t kMostName = 230;  // with `.ledger.json` and a temporary suffix still a file name
    return !name.empty() && name.size() <= kMostName && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::string ledger_path(const Entry& entry) {
    return entry.package + "/" + entry.file_name + ".json";
}

Entry parse_entry(std::string_view text) {
    boost::system::error_code failure;
    json::value value = json::parse(text, failure);
    if (failure || !value.is_object()) {
        throw unchecked(failure ? "not JSON: " + failure.message() : std::string("not a JSON object"), kMadeBy);
    }
    Entry entry;
    entry.json = std::move(value.as_object());
    check_schema(entry.json);
    entry.package = text_at(entry.json, "package", "a package name");
    if (!is_ledger_name(entry.package)) {
        wrong("package", "a package name of letters, digits, `.`, `_` and `-`");
    }
    entry.file_name = read_file_name(object_at(entry.json, "wheel"));
    check_fields(entry.json);
    return entry;
}

std::string canonical_text(const json::value& value) {
    std::string text;
    write(text, value, 0);
    return text + '\n';
}

bool same_record(const Entry& left, const Entry& right) {
    return without_when(left) == without_when(right);
}

BuiltAt valid_for(const Entry& entry) {
    const auto number = [](const json::object& object, std::string_view key, std::uint64_t otherwise) {
        const json::value* value = find(object, key);
        return value != nullptr && value->is_int64() ? static_cast<std::uint64_t>(value->as_int64()) : otherwise;
    };
    const Epochs built = {number(entry.json, "build_epoch", 1), number(entry.json, "package_epoch", 0)};
    const bool one_counter = entry.json.at("schema") == 1;
    const json::value* carried = find(entry.json, "valid_for_epoch");
    if (carried == nullptr) {
        return {built, one_counter};
    }
    if (const json::object* pair = carried->if_object()) {
        // It was written for both counters as they stood, of which the build's number is no part where it was but one.
        const Epochs epochs = {number(*pair, "farm", 1), number(*pair, "package", 0)};
        return {one_counter ? epochs : latest(built, epochs), false};
    }
    return {latest(built, {number(entry.json, "valid_for_epoch", 1), 0}), one_counter};
}

Entry carried(Entry entry, const Epochs& epochs) {
    entry.json["valid_for_epoch"] = {{"farm", static_cast<std::int64_t>(epochs.farm)},
                                     {"package", static_cast<std::int64_t>(epochs.package)}};
    return entry;
}

namespace {

// Of the members with this role, or of all.
std::set<std::string> archs_of_members(const json::array& members, std::string_view kind) {
    std::set<std::string> archs;
    for (const json::value& member : members) {
        const json::object* object = member.if_object();
        const json::value* names = object == nullptr ? nullptr : find(*object, kind);
        const json::value* role = object == nullptr ? nullptr : find(*object, "role");
        if (names == nullptr || !names->is_array() || (role != nullptr && *role == json::value("vendored"))) {
            continue;
        }
        for (const json::value& name : names->as_array()) {
            archs.insert(name.is_string() ? std::string(name.as_string()) : json::serialize(name));
        }
    }
    return archs;
}

}  // namespace

void check_consistent(const Entry& entry) {
    const json::value* key = find(entry.json, "exists_key");
    if (key != nullptr && key->is_string()) {
        const json::value* own = find(entry.json, "package_epoch");
        const Epochs built = {static_cast<std::uint64_t>(entry.json.at("build_epoch").as_int64()),
                              own == nullptr ? 0 : static_cast<std::uint64_t>(own->as_int64())};
        const std::string_view text = key->as_string();
        if (const std::size_t at = text.rfind("@epoch");
            at != std::string_view::npos && text.substr(at + 6) != to_text(built)) {
            throw unchecked(fmt::format("its key is {}, but its epoch is {}", printable(text), to_text(built)),
                            kMadeBy);
        }
    }
    const json::value* members = find(entry.json, "members");
    if (members == nullptr || !members->is_array() || members->as_array().empty()) {
        return;  // one that was recorded without them
    }
    const auto says_archs = [](const json::value& member) {
        const json::object* object = member.if_object();
        const auto is_list = [&](std::string_view kind) {
            const json::value* names = find(*object, kind);
            return names != nullptr && names->is_array();
        };
        return object != nullptr && is_list("sass") && is_list("ptx");
    };
    if (!std::all_of(members->as_array().begin(), members->as_array().end(), says_archs)) {
        return;  // members of another form say nothing of the archs
    }
    for (const char* kind : {"sass", "ptx"}) {
        std::set<std::string> said;
        for (const json::value& name : entry.json.at("archs").at(kind).as_array()) {
            said.insert(std::string(name.as_string()));
        }
        if (said != archs_of_members(members->as_array(), kind)) {
            throw unchecked(fmt::format("its 'archs.{}' is not what its members hold", kind), kMadeBy);
        }
    }
}

Entry replacing(Entry entry, const Entry& old) {
    json::object summary;
    for (const std::string_view key : kKeptOfOld) {
        const json::value* value = find(old.json, key);
        summary[key] = value == nullptr ? json::value() : *value;
    }
    json::array history = {std::move(summary)};
    if (const json::value* older = find(old.json, "history"); older != nullptr && older->is_array()) {
        for (const json::value& item : older->as_array()) {
            if (history.size() < kMostHistory) {
                history.push_back(item);
            }
        }
    }
    entry.json["history"] = std::move(history);
    return entry;
}

}  // namespace wheelarch
