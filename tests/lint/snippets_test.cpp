// The snippets of tests/lint/snippets: each begins with `=== name`; lines that begin with `//= ` say what the rules
// find in the rest, as `rule line:column needs… [fallback] [moreN] [warning|notice]`, and none means that nothing is
// found.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/device/device_facts.hpp"
#include "lint/rule.hpp"

namespace wheelarch {
namespace {

struct Snippet {
    std::string name;
    std::string text;
    std::vector<std::string> expected;
};

std::string need_text(const ArchNeed& need) {
    switch (need.kind) {
        case ArchNeed::Kind::at_least: return ">=" + torch_name(need.at);
        case ArchNeed::Kind::floor: return "floor" + torch_name(need.at);
        case ArchNeed::Kind::not_in: return "only" + torch_name(need.at);
        default: return torch_name(need.at);
    }
}

std::string hit_text(const LintHit& hit) {
    std::string text = fmt::format("{} {}:{}", hit.rule->id, hit.line, hit.column);
    for (const ArchNeed& need : hit.needs) {
        text += " " + need_text(need);
    }
    text += hit.fallback ? " fallback" : "";
    text += hit.more != 0 ? fmt::format(" more{}", hit.more) : "";
    const bool lowered = hit.severity == Severity::warning && !hit.fallback;
    return text + (lowered ? " warning" : hit.severity == Severity::notice ? " notice" : "");
}

std::vector<std::string> hits_in(const std::string& text) {
    const std::vector<SourceFile> files = {{"a.cu", text, SourceFile::Language::cuda}};
    DevicePackage package([](const std::string&) { return nullptr; });
    package.narrow(files, [](const SourceFile&) { return true; });
    std::vector<std::string> found;
    for (const Rule* rule : rules()) {
        std::vector<LintHit> of_file;
        std::vector<LintHit> hits;
        if (rule->in_device_code != nullptr) {
            rule->in_device_code(package.facts(files[0]), of_file);
            add_hits(hits, *rule, files[0], of_file);
            std::transform(hits.begin(), hits.end(), std::back_inserter(found), hit_text);
        }
    }
    return found;
}

std::vector<Snippet> read_snippets(const std::filesystem::path& path) {
    std::vector<Snippet> snippets;
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("=== ")) {
            snippets.push_back({line.substr(4), {}, {}});
        } else if (line.starts_with("//= ")) {
            snippets.back().expected.push_back(line.substr(4));
        } else {
            snippets.back().text += line + "\n";
        }
    }
    return snippets;
}

void check_snippets(const std::filesystem::path& path) {
    const std::vector<Snippet> snippets = read_snippets(path);
    CHECK(snippets.size() >= 2);
    for (const Snippet& snippet : snippets) {
        INFO(snippet.name);
        CHECK(fmt::format("{}", fmt::join(hits_in(snippet.text), "\n")) ==
              fmt::format("{}", fmt::join(snippet.expected, "\n")));
        // Carriage returns change nothing.
        std::string crlf;
        for (const char c : snippet.text) {
            crlf += c == '\n' ? "\r\n" : std::string(1, c);
        }
        CHECK(hits_in(crlf) == snippet.expected);
    }
}

TEST_CASE("snippets") {
    const auto folder = std::filesystem::path(__FILE__).parent_path() / "snippets";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        CAPTURE(file.path().filename().string());
        check_snippets(file.path());
    }
}

TEST_CASE("snippets cut short anywhere give an answer") {
    const auto folder = std::filesystem::path(__FILE__).parent_path() / "snippets";
    for (const Snippet& snippet : read_snippets(folder / "calls.txt")) {
        for (std::size_t size = 0; size < snippet.text.size(); ++size) {
            CHECK(hits_in(snippet.text.substr(0, size)).size() <= 3);
            CHECK(hits_in(snippet.text.substr(size)).size() <= 3);
        }
    }
}

}  // namespace
}  // namespace wheelarch
