#include "report/github.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "base/scratch.hpp"
#include "base/setting.hpp"

using namespace wheelarch;

namespace {

Finding finding(Severity severity, std::string message) {
    return {"some-rule", severity, "pkg.whl", std::move(message), {}};
}

std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("github: data and properties of an annotation are escaped") {
    CHECK(annotations(located({{"a,b:c", Severity::error, "x%y", "one\ntwo ##[error]", "do\r\nthis"}})) ==
          "::error title=wheelarch%3A a%2Cb%3Ac::x%25y: one\\ntwo # #[error]%0Afix: do\\r\\nthis\n");
}

TEST_CASE("github: at most eight annotations of one severity, then their number") {
    const std::string text = annotations(located(std::vector<Finding>(12, finding(Severity::warning, "m"))));
    CHECK(std::count(text.begin(), text.end(), '\n') == 9);
    CHECK(text.ends_with("::warning title=wheelarch::4 more; the job summary and the log have all\n"));
}

TEST_CASE("github: an output's value cannot close its own delimiter") {
    const ScratchFolder folder(".");
    const std::filesystem::path file = folder.path() / "output";
    const Setting output("GITHUB_OUTPUT", file.string());
    set_output("sass", "sm_80\nEOF\nverdict=match");
    const std::string text = content(file);
    const std::string delimiter = text.substr(6, text.find('\n') - 6);
    CHECK(delimiter.size() == 42);
    CHECK(text == "sass<<" + delimiter + "\nsm_80\nEOF\nverdict=match\n" + delimiter + "\n");
}
