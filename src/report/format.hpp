// Format: one form in which a result is written to a file, a file of this folder each. An outcome has all that a format
// needs, so that commands know nothing of it but its option.
#pragma once

#include <deque>
#include <iosfwd>
#include <string>

#include "report/outcome.hpp"

namespace wheelarch {

struct Format {
    const char* option;  // `--json`
    void (*write)(const Outcome& outcome, std::ostream& out);
    // Where the file is `-`, standard output is for it alone, and what is for people is left out.
    bool alone = false;
};

// Where results go, as the options of a command say: a path, `-` for standard output, or empty.
class Outputs {
public:
    struct File {
        const Format* format;
        std::string path;
    };

    // The path for `format`, which the command offers; it stays where it is.
    std::string& offer(const Format& format) { return files_.emplace_back(File{&format, {}}).path; }

    const std::string& path(const Format& format) const;
    const std::deque<File>& files() const noexcept { return files_; }

private:
    std::deque<File> files_;
};

inline const std::string& Outputs::path(const Format& format) const {
    static const std::string none;
    for (const File& file : files_) {
        if (file.format == &format) {
            return file.path;
        }
    }
    return none;
}

}  // namespace wheelarch
