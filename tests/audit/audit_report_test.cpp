#include "audit/audit_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "report/audit.hpp"
#include "report/markdown.hpp"

using namespace wheelarch;

namespace {

AuditResult judged(const std::string& file, AuditVerdict verdict) {
    AuditResult result;
    result.file = file;
    result.package = "pkg";
    result.verdict = verdict;
    return result;
}

NamedReport shard(std::size_t index, std::size_t count, std::vector<std::size_t> positions, std::size_t wheels) {
    NamedReport named = {"s" + std::to_string(index), {}};
    named.report.shard = Shard{index, count};
    named.report.wheels = wheels;
    named.report.list = "00";
    for (const std::size_t position : positions) {
        named.report.results.push_back({position, judged(std::to_string(position), AuditVerdict::ok)});
    }
    return named;
}

}  // namespace

TEST_CASE("shard: what is one") {
    CHECK(parse_shard("2/8") == Shard{2, 8});
    CHECK(parse_shard("1/1") == Shard{1, 1});
    for (const char* text : {"", "/", "1", "0/3", "x/3", "1/", "1/0", "-1/3", "1/3/4", "1 /3", "+1/3", "1/10001",
                             "99999999999999999999/2"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(parse_shard(text), ("--shard '" + std::string(text) + "' is not I/N").c_str(), Error);
    }
    CHECK_THROWS_WITH_AS(parse_shard("4/3"), "there is no shard 4 of 3", Error);
}

TEST_CASE("shard: each name is in one, whatever the machine") {
    for (int i = 0; i < 200; ++i) {
        const std::string name = "pkg-1." + std::to_string(i) + "-py3-none-any.whl";
        int found = 0;
        for (std::size_t index = 1; index <= 7; ++index) {
            found += is_in_shard({index, 7}, name) ? 1 : 0;
        }
        CHECK(found == 1);
    }
    CHECK(is_in_shard({1, 2}, "a.whl") != is_in_shard({2, 2}, "a.whl"));
    CHECK(is_in_shard({3, 5}, "pkg-1.0-py3-none-any.whl") == is_in_shard({3, 5}, "pkg-1.0-py3-none-any.whl"));
}

TEST_CASE("merge: all shards, in the order of the wheels") {
    const AuditReport whole = merge_shards({shard(2, 3, {1, 4}, 5), shard(3, 3, {}, 5), shard(1, 3, {0, 3, 2}, 5)});
    CHECK_FALSE(whole.shard.has_value());
    REQUIRE(whole.results.size() == 5);
    CHECK(std::is_sorted(whole.results.begin(), whole.results.end(),
                         [](const auto& left, const auto& right) { return left.position < right.position; }));
    CHECK(whole.results[4].result.file == "4");
}

TEST_CASE("merge: what is not one whole sweep is refused") {
    CHECK_THROWS_WITH_AS(merge_shards({}), "there is nothing to merge", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(2, 3, {0}, 1)}), "of 3 shards 2 are not there: 1/3, 3/3", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 1), shard(1, 2, {0}, 1)}), "s1: it is shard 1/2, as is s1",
                         Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 1), shard(2, 3, {}, 1)}),
                         "s2: it is shard 2/3, but s1 is shard 1/2: they are of different sweeps", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 1), shard(2, 2, {1}, 2)}),
                         "s2: it is a shard of 2 wheels, but s1 of 1 wheel: they are of different lists of wheels",
                         Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 2), shard(2, 2, {0}, 2)}), "0 is there twice", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 3), shard(2, 2, {1}, 3)}),
                         "of 3 wheels there is no result of number 3", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 2), shard(2, 2, {2}, 2)}),
                         "2 is there as a wheel that the list does not have", Error);
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {}, 0), shard(2, 2, {}, 0)}), "there is no wheel in it", Error);
    NamedReport other = shard(2, 2, {1}, 2);
    other.report.list = "11";
    CHECK_THROWS_WITH_AS(merge_shards({shard(1, 2, {0}, 2), other}),
                         "s2: it is a shard of 2 wheels, but s1 of others: they are of different lists of wheels",
                         Error);
    NamedReport whole = shard(1, 1, {0}, 1);
    whole.report.shard.reset();
    CHECK(merge_shards({whole}).results.size() == 1);
    NamedReport less = whole;
    less.report.results.clear();
    CHECK_THROWS_WITH_AS(merge_shards({less}), "s1: of 1 wheel there is no result of number 1", Error);
    less.report.wheels = 0;
    CHECK_THROWS_WITH_AS(merge_shards({less}), "s1: there is no wheel in it", Error);
    CHECK_THROWS_WITH_AS(merge_shards({whole, shard(1, 2, {0}, 1)}),
                         "s1: it is the result of a whole sweep, and there is nothing to merge it with", Error);
}

TEST_CASE("report: written as JSON and read again") {
    AuditReport report = shard(2, 3, {1, 4}, 5).report;
    report.results[1].result.verdict = AuditVerdict::wheel_wrong;
    report.results[1].result.findings = {{"entry-differs", Severity::error, "x", "\xff\n::error::", "f"}};
    report.policy = {{"farm", "."}, {"sha256", "00"}};
    const std::string text = audit_json_text(report);
    const AuditReport read = parse_audit_report(text);
    CHECK(audit_json_text(read) == text);
    CHECK(read.shard == report.shard);
    CHECK(worst_verdict(read) == AuditVerdict::wheel_wrong);
    CHECK(count_verdicts(read).of(AuditVerdict::ok) == 1);
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
        CHECK_THROWS_AS(parse_audit_report(text.substr(0, size)), Error);
    }
    CHECK_THROWS_WITH_AS(parse_audit_report("[]"), "it is no result of `wheelarch audit`: not a JSON object", Error);
    CHECK_THROWS_WITH_AS(parse_audit_report("{\"schema\": 1, \"files\": []}"),
                         "it is no result of `wheelarch audit`: its 'schema' is not 1, or it has no 'command', 'list' "
                         "or 'results'",
                         Error);
}

TEST_CASE("report: that of another command, or one that was edited, is none") {
    AuditReport report = shard(1, 1, {0}, 1).report;
    report.results[0].result.verdict = AuditVerdict::wheel_wrong;
    report.results[0].result.findings = {{"entry-differs", Severity::error, "x", "m", "f"}};
    const std::string text = audit_json_text(report);
    const auto edited = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        return other.replace(other.find(from), from.size(), to);
    };
    CHECK_THROWS_WITH_AS(parse_audit_report(edited("\"audit\"", "\"ledger backfill\"")),
                         "it is no result of `wheelarch audit`: it is that of `wheelarch ledger backfill`", Error);
    for (const char* rule : {"\"\"", "\"\\u001b[31m\"", "\"a\\n::error::b\"", "\"</td>\"", "\"Entry\""}) {
        CAPTURE(rule);
        CHECK_THROWS_WITH_AS(
            parse_audit_report(edited("\"entry-differs\"", rule)),
            "it is no result of `wheelarch audit`: 'rule' of a result is not as `wheelarch audit` writes it", Error);
    }
    const std::string result = "\"verdict\":\"wheel-wrong\",\"sha256\"";
    CHECK_THROWS_WITH_AS(
        parse_audit_report(edited(result, "\"verdict\":\"ok\",\"sha256\"")),
        "it is no result of `wheelarch audit`: 'findings' of a result and its verdict, ok, do not agree", Error);
    CHECK_THROWS_WITH_AS(
        parse_audit_report(edited("\"severity\":\"error\"", "\"severity\":\"notice\"")),
        "it is no result of `wheelarch audit`: 'findings' of a result and its verdict, wheel-wrong, do not agree",
        Error);
}

TEST_CASE("result: findings are sorted, and cut to a bearable number and size") {
    AuditResult result = judged("a.whl", AuditVerdict::wheel_wrong);
    for (int i = 0; i < 50; ++i) {
        result.findings.push_back({"n", Severity::notice, {}, std::string(5000, 'x'), {}});
    }
    std::string wide;  // a cut in the middle of a character would make it no UTF-8
    for (int i = 0; i < 1000; ++i) {
        wide += "→";
    }
    result.findings.push_back({"e", Severity::error, {}, wide, {}});
    make_small(result);
    REQUIRE(result.findings.size() == kMostAuditFindings);
    CHECK(result.more_findings == 31);
    CHECK(result.findings[0].rule == "e");
    CHECK(result.findings[0].message.size() <= kMostAuditText + 4);
    CHECK(result.findings[0].message.ends_with("→ …"));
    CHECK(result.findings[1].message.size() <= kMostAuditText + 4);
}

TEST_CASE("markdown: within its size, the worst first") {
    AuditReport report;
    for (std::size_t i = 0; i < 400; ++i) {
        report.results.push_back({i, judged("w" + std::to_string(i), AuditVerdict::config_moved)});
    }
    report.results.push_back({400, judged("bad|<b>", AuditVerdict::unreadable)});
    report.wheels = report.results.size();
    const std::string text = to_markdown(audit_summary(report), 3000);
    CHECK(text.size() < 3100);
    CHECK(text.find("- **unreadable** <code>bad&#124;&lt;b&gt;</code>") < text.find("- **config-moved**"));
    CHECK(text.find(" more\n") != std::string::npos);
    CHECK(to_markdown(audit_summary(report), 1'000'000).find("w399") != std::string::npos);
}
