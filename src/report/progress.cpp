#include "report/progress.hpp"

#include <ostream>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace wheelarch {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenLogLines{30};
constexpr std::chrono::milliseconds kBetweenRedraws{150};
constexpr char kEraseLine[] = "\r\x1b[K";

std::string duration_text(std::chrono::seconds time) {
    const auto seconds = time.count();
    return seconds < 100 ? fmt::format("{} s", seconds) : fmt::format("{} min", (seconds + 30) / 60);
}

}  // namespace

Progress::Progress(std::ostream& out, Kind kind, std::size_t total, std::string what)
    : out_(out),
      kind_(kind),
      total_(total),
      what_(std::move(what)),
      begin_(steady_clock::now()),
      last_(kind == Kind::log ? begin_ : begin_ - kBetweenRedraws) {}

std::string Progress::text(std::size_t done, std::size_t bad, steady_clock::time_point now) const {
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(now - begin_);
    std::string line = fmt::format("{} of {} {}", done, total_, what_);
    if (bad > 0) {
        line += fmt::format(", {} wrong or unreadable", bad);
    }
    if (done == total_) {
        line += fmt::format(", in {}", duration_text(passed));
    } else if (done > 0 && passed.count() >= 5) {
        const auto left = passed.count() * static_cast<long long>(total_ - done) / static_cast<long long>(done);
        line += fmt::format(", about {} left", duration_text(std::chrono::seconds(left)));
    }
    return line;
}

void Progress::show(std::size_t done, std::size_t bad, steady_clock::time_point now) {
    if (kind_ == Kind::none || now - last_ < (kind_ == Kind::log ? kBetweenLogLines : kBetweenRedraws)) {
        return;
    }
    last_ = now;
    if (kind_ == Kind::terminal) {
        out_ << kEraseLine << text(done, bad, now) << std::flush;
        shown_ = true;
    } else {
        out_ << text(done, bad, now) << std::endl;
        said_ = true;
    }
}

void Progress::clear() {
    if (shown_) {
        out_ << kEraseLine << std::flush;
        shown_ = false;
        last_ -= kBetweenRedraws;  // to be drawn again soon
    }
}

void Progress::end(std::size_t done, std::size_t bad, steady_clock::time_point now) {
    clear();
    if (said_) {
        out_ << text(done, bad, now) << std::endl;
    }
}

Progress::Kind progress_kind(bool quiet) {
    return quiet ? Progress::Kind::none : ::isatty(STDERR_FILENO) == 1 ? Progress::Kind::terminal : Progress::Kind::log;
}

}  // namespace wheelarch
