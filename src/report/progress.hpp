// Progress: how far a long run is, on standard error. On a terminal it is one line that is written over and goes away
// at the end; elsewhere, as in a log, a line now and then and one at the end, and none if it was short.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace wheelarch {

class Progress {
public:
    enum class Kind { none, terminal, log };

    Progress(std::ostream& out, Kind kind, std::size_t total, std::string what);

    // How many are done, at this moment, and how many of them are bad.
    void show(std::size_t done, std::size_t bad, std::chrono::steady_clock::time_point now);
    // Before something else is printed to the terminal.
    void clear();
    void end(std::size_t done, std::size_t bad, std::chrono::steady_clock::time_point now);

private:
    std::string text(std::size_t done, std::size_t bad, std::chrono::steady_clock::time_point now) const;

    std::ostream& out_;
    Kind kind_;
    std::size_t total_;
    std::string what_;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_;
    bool shown_ = false;  // a line is on the terminal
    bool said_ = false;   // a line is in the log
};

// A terminal if standard error is one.
Progress::Kind progress_kind(bool quiet);

}  // namespace wheelarch
