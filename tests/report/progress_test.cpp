#include "report/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <sstream>

using namespace wheelarch;
using namespace std::chrono_literals;

TEST_CASE("progress: in a log a line every 30 seconds, and one at the end") {
    std::ostringstream out;
    const auto now = std::chrono::steady_clock::now();
    Progress progress(out, Progress::Kind::log, 200, "wheels");
    progress.show(1, 0, now + 10s);
    CHECK(out.str().empty());
    progress.show(50, 0, now + 40s);
    progress.show(60, 0, now + 50s);
    progress.show(100, 2, now + 80s);
    progress.end(200, 2, now + 150s);
    std::string text = out.str();
    CHECK(text.find('\r') == std::string::npos);
    CHECK(text.starts_with("50 of 200 wheels, about "));
    CHECK(text.find("100 of 200 wheels, 2 wrong or unreadable, about ") != std::string::npos);
    CHECK(text.find("200 of 200 wheels, 2 wrong or unreadable, in 2 min\n") != std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("progress: nothing in a log if the run was short") {
    std::ostringstream out;
    const auto now = std::chrono::steady_clock::now();
    Progress progress(out, Progress::Kind::log, 2, "wheels");
    progress.show(1, 0, now + 1s);
    progress.end(2, 0, now + 2s);
    CHECK(out.str().empty());
}

TEST_CASE("progress: on a terminal one line, which goes away") {
    std::ostringstream out;
    const auto now = std::chrono::steady_clock::now();
    Progress progress(out, Progress::Kind::terminal, 2, "wheels");
    progress.show(0, 0, now + 1s);
    progress.show(1, 0, now + 1s);  // too soon
    progress.clear();
    progress.show(1, 1, now + 1100ms);
    progress.end(2, 1, now + 2s);
    CHECK(out.str() == "\r\x1b[K0 of 2 wheels\r\x1b[K\r\x1b[K1 of 2 wheels, 1 wrong or unreadable\r\x1b[K");
}

TEST_CASE("progress: none") {
    std::ostringstream out;
    Progress progress(out, Progress::Kind::none, 2, "wheels");
    progress.show(1, 1, std::chrono::steady_clock::now() + 1h);
    progress.end(2, 1, std::chrono::steady_clock::now() + 2h);
    CHECK(out.str().empty());
}
