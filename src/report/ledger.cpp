#include "report/ledger.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/names.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostMembers = 5;
constexpr std::size_t kMostHistory = 5;

// The value at a path of keys such as `run.sha`; null if there is none.
const json::value* at(const json::object& object, std::string_view path) {
    const std::size_t dot = path.find('.');
    const auto found = object.find(path.substr(0, dot));
    if (found == object.end() || found->value().is_null()) {
        return nullptr;
    }
    if (dot == std::string_view::npos) {
        return &found->value();
    }
    return found->value().is_object() ? at(found->value().as_object(), path.substr(dot + 1)) : nullptr;
}

// One screen has no room for what is longer.
std::string shortened(std::string_view text) {
    constexpr std::size_t kMostText = 300;
    return printable(text.substr(0, kMostText)) + (text.size() > kMostText ? " …" : "");
}

// Safe to show; empty if there is none.
std::string text_at(const json::object& object, std::string_view path) {
    const json::value* value = at(object, path);
    if (value == nullptr) {
        return {};
    }
    return shortened(value->is_string() ? std::string(value->as_string()) : json::serialize(*value));
}

std::string or_unknown(const std::string& text) {
    return text.empty() ? "not known" : text;
}

std::string joined(const json::object& object, std::string_view path) {
    std::string text;
    const json::value* list = at(object, path);
    if (list != nullptr && list->is_array()) {
        for (const json::value& item : list->as_array()) {
            text += (text.empty() ? "" : " ") + (item.is_string() ? std::string(item.as_string()) : "?");
        }
    }
    return shortened(text);
}

std::string archs_text(const json::object& object, const std::string& prefix) {
    const std::string sass = joined(object, prefix + "sass");
    const std::string ptx = joined(object, prefix + "ptx");
    const std::string both = sass + (sass.empty() || ptx.empty() ? "" : " ") + ptx;
    return both.empty() ? "nothing" : both;
}

void row(std::string& out, std::string_view label, const std::string& text) {
    if (!text.empty()) {
        out += fmt::format("  {:<10} {}\n", label, text);
    }
}

bool is_inferred(const json::object& entry) {
    return text_at(entry, "provenance") == "inferred";
}

std::string requested_text(const json::object& entry) {
    const std::string list = text_at(entry, "arch_list");
    return !list.empty()        ? list
           : is_inferred(entry) ? "not known: inferred from the wheel, its build recorded nothing"
                                : "nothing";
}

// `CUDA 12.8, torch 2.8.0, Python 3.12, linux`, as far as it is known.
std::string cell_text(const json::object& entry) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kParts = {
        {{"CUDA ", "cell.cuda"}, {"torch ", "cell.pytorch"}, {"Python ", "cell.python"}, {"", "cell.platform"}}};
    std::string text;
    for (const auto& [label, path] : kParts) {
        if (const std::string value = text_at(entry, path); !value.empty()) {
            text += fmt::format("{}{}{}", text.empty() ? "" : ", ", label, value);
        }
    }
    return text;
}

std::string epoch_text(const json::object& entry) {
    const auto number = [](const json::object& object, std::string_view key) {
        const json::value* value = object.if_contains(key);
        return value != nullptr && value->is_int64() ? static_cast<std::uint64_t>(value->as_int64()) : 0;
    };
    std::string text = to_text(Epochs{number(entry, "build_epoch"), number(entry, "package_epoch")});
    if (const json::value* valid_for = entry.if_contains("valid_for_epoch")) {
        const json::object* pair = valid_for->if_object();
        text +=
            ", still valid for " + (pair == nullptr ? json::serialize(*valid_for)
                                                    : to_text(Epochs{number(*pair, "farm"), number(*pair, "package")}));
    }
    return text;
}

std::string source_text(const json::object& entry) {
    std::string text = text_at(entry, "source.repo");
    for (const std::string_view path : {"source.ref", "source.commit"}) {
        if (const std::string value = text_at(entry, path); !value.empty()) {
            text += (text.empty() ? "" : " ") + value;
        }
    }
    return text;
}

std::string tools_text(const json::object& entry) {
    std::string text;
    for (const std::string_view tool : {"nvcc", "cuobjdump", "wheelarch"}) {
        if (const std::string release = text_at(entry, fmt::format("toolchain.{}", tool)); !release.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", tool, release);
        }
    }
    return text;
}

void add_members(std::string& out, const json::object& entry) {
    const json::value* members = at(entry, "members");
    if (members == nullptr || !members->is_array()) {
        return;
    }
    std::size_t shown = 0;
    for (const json::value& member : members->as_array()) {
        if (!member.is_object()) {
            continue;
        }
        if (shown == kMostMembers) {
            row(out, "", fmt::format("and {} more", members->as_array().size() - shown));
            return;
        }
        row(out, shown == 0 ? "members" : "",
            text_at(member.as_object(), "path") + ": " + archs_text(member.as_object(), ""));
        ++shown;
    }
}

void add_history(std::string& out, const json::object& entry) {
    const json::value* history = at(entry, "history");
    if (history == nullptr || !history->is_array()) {
        return;
    }
    std::size_t shown = 0;
    for (const json::value& item : history->as_array()) {
        if (!item.is_object()) {
            continue;
        }
        if (shown == kMostHistory) {
            row(out, "", fmt::format("and {} more", history->as_array().size() - shown));
            return;
        }
        const json::object& old = item.as_object();
        const std::string url = run_url(old);
        row(out, shown == 0 ? "replaced" : "",
            fmt::format("{} epoch {}, {}, sha256 {}{}", text_at(old, "recorded_at"), epoch_text(old),
                        requested_text(old), text_at(old, "wheel.sha256").substr(0, 12),
                        url.empty() ? "" : ", " + url));
        ++shown;
    }
}

std::string utc_text(std::int64_t seconds) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace

std::string stamped_text(const std::string& file_name, const Stamped& stamped) {
    return fmt::format("{}: {}\n  sha256    {}\n", printable(file_name),
                       stamped.changed ? "stamped" : "stamped already, not changed", stamped.sha256);
}

std::string entry_written_text(const std::string& path) {
    return fmt::format("  entry     {}\n", printable(path));
}

std::string appended_text(const Appended& appended, const std::string& ledger) {
    std::string text = fmt::format("recorded {} in {}", count_of(appended.added + appended.replaced, "wheel"), ledger);
    if (appended.replaced > 0) {
        text += fmt::format(", {} of them replaced", appended.replaced);
    }
    if (appended.unchanged > 0) {
        text += fmt::format("; {} there already", appended.unchanged);
    }
    if (appended.kept > 0) {
        text += fmt::format("; {} kept as the build recorded {}", count_of(appended.kept, "wheel"),
                            appended.kept == 1 ? "it" : "them");
    }
    return text + fmt::format(", commit {}", appended.commit);
}

json::object appended_json(const Appended& appended, const std::string& branch) {
    return {{"schema", kSchema},
            {"branch", valid_utf8(branch)},
            {"commit", appended.commit.empty() ? json::value() : json::value(appended.commit)},
            {"added", appended.added},
            {"replaced", appended.replaced},
            {"carried", appended.carried},
            {"unchanged", appended.unchanged},
            {"kept", appended.kept},
            {"findings", findings_json(appended.refused)}};
}

std::string entry_text(const Entry& entry) {
    std::string out;
    const json::object& object = entry.json;
    const std::string url = run_url(object);
    out += printable(entry.file_name) + '\n';
    row(out, "requested", requested_text(object));
    row(out, "observed", archs_text(object, "archs."));
    row(out, "epoch", epoch_text(object));
    row(out, "key", text_at(object, "exists_key"));
    row(out, "policy", or_unknown(text_at(object, "defaults_sha256")));
    row(out, "package", text_at(object, "package") + " " + text_at(object, "version"));
    row(out, "cell", cell_text(object));
    row(out, "source", source_text(object));
    row(out, "run", or_unknown(url));
    row(out, is_inferred(object) ? "inferred" : "recorded", text_at(object, "recorded_at"));
    row(out, "wheel",
        fmt::format("sha256 {}, {} bytes", text_at(object, "wheel.sha256"), text_at(object, "wheel.size")));
    row(out, "witnesses", joined(object, "witnesses"));
    row(out, "toolchain", tools_text(object));
    add_members(out, object);
    add_history(out, object);
    return out;
}

std::string tip_text(const Ledger::Tip& tip) {
    std::string out;
    row(out, "ledger", fmt::format("{} at {}, {}", printable(tip.ref), tip.commit.substr(0, 12), utc_text(tip.time)));
    return out;
}

json::object tip_json(const Ledger::Tip& tip) {
    return {{"ref", valid_utf8(tip.ref)}, {"commit", tip.commit}, {"time", tip.time}};
}

std::string entries_text(const std::vector<Entry>& entries) {
    std::string out;
    for (const Entry& entry : entries) {
        out += fmt::format("{}  epoch {}  {}{}\n", printable(entry.file_name), epoch_text(entry.json),
                           archs_text(entry.json, "archs."), is_inferred(entry.json) ? "  inferred" : "");
    }
    return out;
}

std::string run_url(const json::object& entry) {
    const std::string server = text_at(entry, "run.server");
    const std::string repository = text_at(entry, "run.repository");
    const std::string id = text_at(entry, "run.run_id");
    if (server.empty() || repository.empty() || id.empty()) {
        return {};
    }
    const std::string attempt = text_at(entry, "run.run_attempt");
    return fmt::format("{}/{}/actions/runs/{}{}", server, repository, id,
                       attempt.empty() ? "" : "/attempts/" + attempt);
}

}  // namespace wheelarch
