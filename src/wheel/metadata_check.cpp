#include "wheel/metadata_check.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "wheel/header_lines.hpp"
#include "wheel/requirement.hpp"

namespace wheelarch {
namespace {

constexpr char kBuildAgain[] = "build the wheel again, or rename it, so that both say the same";

// In their order, as packaging.metadata and the index know them. There was no 2.0.
constexpr std::array<std::string_view, 9> kVersions = {"1.0", "1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"};

struct Field {
    std::string_view key;
    std::string_view since;
    bool many = false;  // may stand more than once
};

// License-File came with 2.4, but setuptools wrote it into 2.1 for years, and the index takes that.
// Each field with the version that brought it ("Core metadata", and the headings of its history).
constexpr std::array<Field, 32> kFields = {{{"metadata-version", "1.0"},
                                            {"name", "1.0"},
                                            {"version", "1.0"},
                                            {"platform", "1.0", true},
                                            {"supported-platform", "1.1", true},
                                            {"summary", "1.0"},
                                            {"description", "1.0"},
                                            {"description-content-type", "2.1"},
                                            {"keywords", "1.0"},
                                            {"home-page", "1.0"},
                                            {"download-url", "1.1"},
                                            {"author", "1.0"},
                                            {"author-email", "1.0"},
                                            {"maintainer", "1.2"},
                                            {"maintainer-email", "1.2"},
                                            {"license", "1.0"},
                                            {"license-expression", "2.4"},
                                            {"license-file", "1.0", true},
                                            {"classifier", "1.1", true},
                                            {"requires-dist", "1.2", true},
                                            {"requires-python", "1.2"},
                                            {"requires-external", "1.2", true},
                                            {"project-url", "1.2", true},
                                            {"provides-extra", "2.1", true},
                                            {"provides-dist", "1.2", true},
                                            {"obsoletes-dist", "1.2", true},
                                            {"dynamic", "2.2", true},
                                            {"import-name", "2.5", true},
                                            {"import-namespace", "2.5", true},
                                            {"requires", "1.1", true},
                                            {"provides", "1.1", true},
                                            {"obsoletes", "1.1", true}}};

std::size_t rank(std::string_view version) {
    return static_cast<std::size_t>(std::find(kVersions.begin(), kVersions.end(), version) - kVersions.begin());
}

// `Requires-Dist` for requires-dist.
std::string shown_key(std::string_view key) {
    std::string shown(key);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if ((i == 0 || shown[i - 1] == '-') && shown[i] >= 'a' && shown[i] <= 'z') {
            shown[i] = static_cast<char>(shown[i] - 'a' + 'A');
        }
    }
    return shown == "Project-Url" ? "Project-URL" : shown == "Download-Url" ? "Download-URL" : shown;
}

class MetadataChecker {
public:
    MetadataChecker(std::string_view text, const WheelName& name, const std::string& place)
        : headers_(parse_header_lines(text)), name_(name), place_(place) {}

    std::vector<Finding> check() {
        if (!headers_.problem.empty()) {
            add(headers_.problem, "installers read such a file in different ways: build the wheel again");
            return std::move(findings_);
        }
        check_identity("Name", name_.distribution, is_project_name, normal_name);
        check_end_of_name();
        check_identity("Version", name_.version, is_version, comparable_version);
        check_version();
        check_values("requires-python", is_specifier_set, "a set of version specifiers such as `>=3.9`");
        check_values("requires-dist", is_requirement, "a requirement such as `numpy>=1.20`");
        check_values("provides-extra", is_project_name, "the name of an extra");
        check_repeated();
        return std::move(findings_);
    }

private:
    void add(std::string message, std::string fix) {
        findings_.push_back({"metadata-mismatch", Severity::error, place_, std::move(message), std::move(fix)});
    }

    void warn(std::string message, std::string fix) {
        findings_.push_back({"index-refuses", Severity::warning, place_, std::move(message), std::move(fix)});
    }

    // The one value of a field that must be there once; null after a finding.
    const std::string* only_value(std::string_view key) {
        values_ = headers_.values(lower_case(key));
        if (values_.size() == 1 && !values_[0].empty()) {
            return &values_[0];
        }
        const std::string found = values_.size() > 1 ? fmt::format("{} lines {}:", values_.size(), key)
                                  : values_.empty()  ? fmt::format("no line {}:", key)
                                                     : fmt::format("an empty line {}:", key);
        add(fmt::format("{} in it, expected one", found), "build the wheel again");
        return nullptr;
    }

    template <typename Valid, typename Normal>
    void check_identity(std::string_view key, const std::string& in_name, const Valid& valid, const Normal& normal) {
        const std::string* value = only_value(key);
        if (value == nullptr) {
            return;
        }
        if (!valid(*value)) {
            add(fmt::format("{} is {}, which is not a {}", key, quoted_value(*value),
                            key == "Name" ? "project name" : "version by PEP 440"),
                "installers refuse it: build the wheel again");
        } else if (normal(*value) != normal(in_name)) {
            add(fmt::format("{} is {}, but {} in the file name", key, quoted_value(*value), quoted_value(in_name)),
                std::string("installers refuse such a wheel or install it again each time: ") + kBuildAgain);
        }
    }

    // pip drops the blank, uv does not.
    void check_end_of_name() {
        const auto is_name = [](const HeaderLine& line) { return line.key == "name" && line.ends_in_blank; };
        if (std::any_of(headers_.lines.begin(), headers_.lines.end(), is_name)) {
            add("Name ends in a blank", "installers refuse it: build the wheel again");
        }
    }

    // An installer takes a minor version that it does not know, an index does not.
    void check_version() {
        const std::string* value = only_value("Metadata-Version");
        if (value == nullptr) {
            return;
        }
        if (rank(*value) < kVersions.size()) {
            check_newer_fields(*value);
            return;
        }
        const bool is_minor = value->size() > 2 && value->starts_with("2.") && (*value)[2] != '0' &&
                              value->find_first_not_of("0123456789", 2) == std::string::npos;
        if (is_minor) {
            warn(fmt::format("Metadata-Version is {}, the newest that is known here is {}", *value, kVersions.back()),
                 "an index may not know it either: build with a tool that writes an older one");
        } else {
            add(fmt::format("Metadata-Version is {}, expected one of {}", quoted_value(*value),
                            fmt::join(kVersions, ", ")),
                "build the wheel with a current tool");
        }
    }

    void check_newer_fields(std::string_view version) {
        std::vector<std::string> newer;
        std::string_view needed = version;
        for (const Field& field : kFields) {
            if (rank(field.since) > rank(version) && !headers_.values(field.key).empty()) {
                newer.push_back(fmt::format("{} (of {})", shown_key(field.key), field.since));
                needed = rank(field.since) > rank(needed) ? field.since : needed;
            }
        }
        if (!newer.empty()) {
            warn(
                fmt::format("Metadata-Version is {}, but the file has {}", version, enumerate(newer, 5)),
                fmt::format("the package index refuses such a wheel: build with a tool that writes metadata version {}",
                            needed));
        }
    }

    template <typename Valid>
    void check_values(std::string_view key, const Valid& valid, std::string_view expected) {
        for (const std::string& value : headers_.values(key)) {
            if (!valid(value)) {
                add(fmt::format("{} is {}, expected {}", shown_key(key), quoted_value(value), expected),
                    "installers refuse such a wheel: mend it in the project's metadata, and build the wheel again");
                return;
            }
        }
    }

    void check_repeated() {
        for (const Field& field : kFields) {
            const bool is_required = field.key == "name" || field.key == "version" || field.key == "metadata-version";
            if (!field.many && !is_required && headers_.values(field.key).size() > 1) {
                warn(fmt::format("{} lines {}: in it, expected one", headers_.values(field.key).size(),
                                 shown_key(field.key)),
                     "the package index refuses such a wheel: build it again");
            }
        }
    }

    HeaderLines headers_;
    const WheelName& name_;
    const std::string& place_;
    std::vector<std::string> values_;
    std::vector<Finding> findings_;
};

}  // namespace

std::string quoted_value(std::string_view text) {
    constexpr std::size_t kLongest = 100;
    return "'" + printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "…" : "") + "'";
}

std::vector<Finding> check_metadata(std::string_view text, const WheelName& name, const std::string& place) {
    return MetadataChecker(text, name, place).check();
}

}  // namespace wheelarch
