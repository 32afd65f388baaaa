// StateFile: the results of a sweep so far, so that it goes on where it was interrupted.
//
// Lines of JSON: a header with a digest of all that decides besides the wheels (ledger, policy, program, options), then
// one line for each finished wheel with its path, size and time of modification. A line is written at once when its
// wheel is done; if the program is killed, at most the last line is torn, and is cut off by the next run.
//
// What is unreadable is not kept, so that the next run tries again: the network, the disk or the memory may have been
// what failed, and a damaged wheel costs little.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "audit/audit_result.hpp"

namespace wheelarch {

// What tells whether a file is still the one that was looked at.
struct FileMark {
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // nanoseconds, of the file system's clock

    auto operator<=>(const FileMark&) const = default;
};
// None if there is no such file.
std::optional<FileMark> mark_of(const std::filesystem::path& file);

class StateFile {
public:
    // Reads the file, or begins one. Throws an Error: exit 2 if it is there and is no state file, which is left as it
    // is; exit 3 if it cannot be read or written.
    StateFile(std::filesystem::path path, const std::string& digest);

    // Was it there with the results of another sweep (which are gone now)?
    bool was_of_another() const noexcept { return was_of_another_; }
    // Results that were found in it.
    std::size_t found() const noexcept { return results_.size(); }

    // The result of a file that is as it was then. It is given away: a second call finds nothing.
    std::optional<AuditResult> take(const std::string& file, const FileMark& mark);
    // Nothing happens if it is unreadable. Throws an Error (exit 3) if it cannot be written.
    void add(const FileMark& mark, const AuditResult& result);

private:
    struct Line {
        FileMark mark;
        AuditResult result;
    };
    void read(const std::string& header);
    void read_lines(std::string_view lines);

    std::filesystem::path path_;
    std::ofstream file_;
    std::unordered_map<std::string, Line> results_;  // by path
    bool was_of_another_ = false;
};

}  // namespace wheelarch
