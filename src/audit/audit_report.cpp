#include "audit/audit_report.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kReportForm[] = "give what `wheelarch audit --shard I/N --json FILE` wrote";

[[noreturn]] void no_report(const std::string& why) {
    throw bad_usage("it is no result of `wheelarch audit`: " + why, kReportForm);
}

std::size_t shard_number(std::string_view text, std::string_view whole) {
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || number < 1 || number > kMostShards) {
        throw bad_usage(fmt::format("--shard '{}' is not I/N", printable(whole.substr(0, 40))),
                        fmt::format("for example --shard 2/8, with I from 1 to N, and N at most {}", kMostShards));
    }
    return number;
}

std::size_t size_at(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr || !value->is_int64() || value->as_int64() < 0) {
        no_report(fmt::format("'{}' is no number", key));
    }
    return static_cast<std::size_t>(value->as_int64());
}

std::optional<Shard> shard_at(const json::object& object) {
    const json::value* value = object.if_contains("shard");
    if (value == nullptr || value->is_null()) {
        return std::nullopt;
    }
    if (!value->is_object()) {
        no_report("'shard' is no object");
    }
    return Shard{size_at(value->as_object(), "index"), size_at(value->as_object(), "count")};
}

json::value value_or_null(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value == nullptr ? json::value() : *value;
}

std::string shard_name(const Shard& shard) {
    return fmt::format("{}/{}", shard.index, shard.count);
}

void check_same_list(const NamedReport& first, const NamedReport& one) {
    if (one.report.wheels == first.report.wheels && one.report.list == first.report.list) {
        return;
    }
    const bool as_many = one.report.wheels == first.report.wheels;
    throw bad_usage(fmt::format("it is a shard of {}, but {} of {}: they are of different lists of wheels",
                                count_of(one.report.wheels, "wheel"), first.name,
                                as_many ? "others" : count_of(first.report.wheels, "wheel")),
                    "let every shard audit the same wheels; for those of releases, by one --existing FILE")
        .inside(one.name);
}

void check_same_sweep(const std::vector<NamedReport>& shards) {
    const NamedReport& first = shards.front();
    std::map<Shard, std::string> seen;
    for (const NamedReport& one : shards) {
        if (!one.report.shard) {
            throw bad_usage("it is the result of a whole sweep, and there is nothing to merge it with", kReportForm)
                .inside(one.name);
        }
        if (one.report.shard->count != first.report.shard->count) {
            throw bad_usage(fmt::format("it is shard {}, but {} is shard {}: they are of different sweeps",
                                        shard_name(*one.report.shard), first.name, shard_name(*first.report.shard)),
                            kReportForm)
                .inside(one.name);
        }
        const auto [same, is_new] = seen.emplace(*one.report.shard, one.name);
        if (!is_new) {
            throw bad_usage(fmt::format("it is shard {}, as is {}", shard_name(*one.report.shard), same->second),
                            "give each once")
                .inside(one.name);
        }
        check_same_list(first, one);
    }
}

void check_all_there(const std::vector<NamedReport>& shards) {
    const std::size_t count = shards.front().report.shard->count;
    std::set<std::size_t> there;
    for (const NamedReport& one : shards) {
        there.insert(one.report.shard->index);
    }
    std::vector<std::string> missing;
    for (std::size_t index = 1; index <= count; ++index) {
        if (!there.contains(index)) {
            missing.push_back(shard_name({index, count}));
        }
    }
    if (!missing.empty()) {
        throw unchecked(fmt::format("of {} shards {} {} not there: {}", count, missing.size(),
                                    missing.size() == 1 ? "is" : "are", enumerate(missing, 10)),
                        "see what became of their jobs, and give the results of all");
    }
}

// Positions are 0 to wheels - 1, each once; the results are sorted by them.
void check_whole(const AuditReport& whole) {
    constexpr char kFix[] = "merge what one sweep wrote, as it was written";
    if (whole.wheels == 0) {
        throw unchecked("there is no wheel in it",
                        "nothing was audited: see what became of the job that lists the wheels");
    }
    std::size_t next = 0;
    for (const AuditReport::Numbered& one : whole.results) {
        if (one.position < next || one.position >= whole.wheels) {
            throw unchecked(fmt::format("{} is there {}", printable(one.result.file),
                                        one.position < next ? "twice" : "as a wheel that the list does not have"),
                            kFix);
        }
        if (one.position > next) {
            break;
        }
        ++next;
    }
    if (next != whole.wheels) {
        throw unchecked(fmt::format("of {} there is no result of number {}", count_of(whole.wheels, "wheel"), next + 1),
                        kFix);
    }
}

void sort_by_position(AuditReport& report) {
    std::sort(report.results.begin(), report.results.end(),
              [](const auto& left, const auto& right) { return left.position < right.position; });
}

}  // namespace

Shard parse_shard(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const Shard shard = {shard_number(text.substr(0, slash), text),
                         shard_number(text.substr(std::min(slash + 1, text.size())), text)};
    if (shard.index > shard.count) {
        throw bad_usage(fmt::format("there is no shard {} of {}", shard.index, shard.count),
                        fmt::format("they are called 1/{0} to {0}/{0}", shard.count));
    }
    return shard;
}

bool is_in_shard(const Shard& shard, std::string_view file_name) {
    const Sha256Digest digest = sha256_of(file_name);
    return ByteView(digest.data(), digest.size()).u64(0, "digest") % shard.count == shard.index - 1;
}

std::vector<std::size_t> positions_in(const std::optional<Shard>& shard, const std::vector<std::string>& file_names) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < file_names.size(); ++i) {
        if (!shard || is_in_shard(*shard, file_names[i])) {
            positions.push_back(i);
        }
    }
    return positions;
}

std::string digest_of_list(const std::vector<std::string>& file_names) {
    Sha256 digest;
    for (const std::string& name : file_names) {
        digest.add(ByteView(name));
        digest.add(ByteView("\n"));
    }
    return to_hex(digest.finish());
}

VerdictCounts count_verdicts(const AuditReport& report) {
    VerdictCounts counts;
    for (const AuditReport::Numbered& one : report.results) {
        counts.add(one.result.verdict);
    }
    return counts;
}

std::map<std::string, VerdictCounts> count_by_package(const AuditReport& report) {
    std::map<std::string, VerdictCounts> packages;
    for (const AuditReport::Numbered& one : report.results) {
        packages[one.result.package].add(one.result.verdict);
    }
    return packages;
}

AuditVerdict worst_verdict(const AuditReport& report) {
    AuditVerdict worst = AuditVerdict::ok;
    for (const AuditReport::Numbered& one : report.results) {
        worst = std::max(worst, one.result.verdict);
    }
    return worst;
}

AuditReport parse_audit_report(std::string_view text) {
    boost::system::error_code failure;
    const json::value value = json::parse(text, failure);
    const json::object* object = failure ? nullptr : value.if_object();
    if (object == nullptr) {
        no_report(failure ? "not JSON: " + failure.message() : "not a JSON object");
    }
    const json::value* schema = object->if_contains("schema");
    const json::value* command = object->if_contains("command");
    const json::value* results = object->if_contains("results");
    if (command != nullptr && command->is_string() && *command != "audit") {
        no_report(
            fmt::format("it is that of `wheelarch {}`", printable(std::string(command->as_string()).substr(0, 40))));
    }
    const json::value* list = object->if_contains("list");
    if (schema == nullptr || *schema != 1 || command == nullptr || results == nullptr || !results->is_array() ||
        list == nullptr || !list->is_string()) {
        no_report("its 'schema' is not 1, or it has no 'command', 'list' or 'results'");
    }
    AuditReport report;
    report.wheels = size_at(*object, "wheels");
    report.list = std::string(list->as_string());
    report.shard = shard_at(*object);
    report.ledger = value_or_null(*object, "ledger");
    report.policy = value_or_null(*object, "policy");
    report.cuobjdump = value_or_null(*object, "cuobjdump");
    for (const json::value& item : results->as_array()) {
        if (!item.is_object()) {
            no_report("'results' is no list of objects");
        }
        try {
            report.results.push_back({size_at(item.as_object(), "position"), audit_result_of(item)});
        } catch (const Error& error) {
            no_report(error.problem());
        }
    }
    return report;
}

AuditReport merge_shards(std::vector<NamedReport> shards) {
    if (shards.empty()) {
        throw bad_usage("there is nothing to merge", kReportForm);
    }
    if (shards.size() == 1 && !shards.front().report.shard) {
        AuditReport whole = std::move(shards.front().report);
        sort_by_position(whole);
        inside(shards.front().name, [&] { check_whole(whole); });
        return whole;
    }
    check_same_sweep(shards);
    check_all_there(shards);
    AuditReport whole = std::move(shards.front().report);
    whole.shard.reset();
    for (std::size_t i = 1; i < shards.size(); ++i) {
        auto& results = shards[i].report.results;
        std::move(results.begin(), results.end(), std::back_inserter(whole.results));
    }
    sort_by_position(whole);
    check_whole(whole);
    return whole;
}

}  // namespace wheelarch
