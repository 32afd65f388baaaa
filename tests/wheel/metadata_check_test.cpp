#include "wheel/metadata_check.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

// `rule: message` of each finding.
std::string check(const std::string& text) {
    std::string all;
    for (const Finding& finding : check_metadata(text, parse_wheel_name("pkg-1.0-py3-none-any.whl"), "METADATA")) {
        CHECK_FALSE(finding.fix.empty());
        CHECK(finding.place == "METADATA");
        CHECK((finding.severity == Severity::error) == (finding.rule == "metadata-mismatch"));
        all += finding.rule + ": " + finding.message + "\n";
    }
    return all;
}

std::string with(const std::string& more, const std::string& version = "2.1") {
    return "Metadata-Version: " + version + "\nName: Pkg\nVersion: 1.0.0\n" + more;
}

TEST_CASE("metadata: good ones") {
    CHECK(check(with("")) == "");
    CHECK(check(with("License-Expression: MIT\nLicense-File: A\nLicense-File: B\n", "2.4")) == "");
    CHECK(check(with("Requires-Dist: a>=1; extra == 'x'\nProvides-Extra: x\nX-Own: y\n")) == "");
}

TEST_CASE("metadata: fields that are newer than the version") {
    CHECK(check(with("License-Expression: MIT\nLicense-File: LICENSE\n")) ==
          "index-refuses: Metadata-Version is 2.1, but the file has License-Expression (of 2.4)\n");
    CHECK(check(with("Dynamic: x\n")) == "index-refuses: Metadata-Version is 2.1, but the file has Dynamic (of 2.2)\n");
    CHECK(check(with("", "2.99")) == "index-refuses: Metadata-Version is 2.99, the newest that is known here is 2.6\n");
}

TEST_CASE("metadata: License-File, which setuptools wrote early") {
    CHECK(check(with("License-File: LICENSE\n")) == "");
}

TEST_CASE("metadata: what installers refuse") {
    for (const std::string end : {" ", "\t", "\n ", "\n x\n "}) {
        CHECK(check("Metadata-Version: 2.1\nName: pkg" + end + "\nVersion: 1.0 \n").find("Name ends in a blank") !=
              std::string::npos);
    }
    CHECK(check(with("", "3.0")).starts_with("metadata-mismatch: Metadata-Version is '3.0', expected one of 1.0, "));
    CHECK(check("Name: pkg\nVersion: 1.0\n") == "metadata-mismatch: no line Metadata-Version: in it, expected one\n");
    CHECK(check("Metadata-Version: 2.1\nName: pkg\nVersion: x\n") ==
          "metadata-mismatch: Version is 'x', which is not a version by PEP 440\n");
    CHECK(check("Metadata-Version: 2.1\nName: pkg-\nVersion: 1.0\n") ==
          "metadata-mismatch: Name is 'pkg-', which is not a project name\n");
    CHECK(check(with("Requires-Dist: !!\n")) ==
          "metadata-mismatch: Requires-Dist is '!!', expected a requirement such as `numpy>=1.20`\n");
    CHECK(check(with("Summary: a\nSummary: b\n")) == "index-refuses: 2 lines Summary: in it, expected one\n");
}

}  // namespace
}  // namespace wheelarch
