// RECORD: the list of a wheel's files with their hashes, as "Recording installed projects" on packaging.python.org has
// it: CSV of path, hash and size, in the dialect of Python's csv module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct RecordRow {
    std::string path;  // with forward slashes, whatever the text has
    std::string hash;  // `sha256=…` or empty, as it stands
    std::string size;  // digits or empty, as it stands
    std::uint64_t line = 0;
    bool backslashes = false;
};

struct Record {
    std::vector<RecordRow> rows;
    std::string problem;  // why the rest could not be read, with its line; empty if all of it was
};

// Blank lines are skipped, as Python does.
Record parse_record(std::string_view text);

// One row to a line, with LF, quoted where CSV needs it.
std::string write_record(const std::vector<RecordRow>& rows);

}  // namespace wheelarch
