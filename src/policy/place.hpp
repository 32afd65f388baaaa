// Place: where in a file a value of the policy stands, and Text: a value that remembers it.
#pragma once

#include <memory>
#include <string>

namespace wheelarch {

struct Place {
    std::shared_ptr<const std::string> file;  // safe to show; none: not from a file
    unsigned line = 0;                        // from 1, as are columns; a column counts bytes
    unsigned column = 0;
};

// `packages/x.yml:12:3`, for errors; empty if it is not from a file.
std::string to_text(const Place& place);
// `packages/x.yml:12`, for reports.
std::string file_and_line(const Place& place);

struct Text {
    std::string value;
    Place place;
};

}  // namespace wheelarch
