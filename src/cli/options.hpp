// Options: what each command was asked to do. Parsing is CLI11's; names not known come with the nearest that is.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace wheelarch {

// Options of every command that reads binaries.
struct ReadingOptions {
    std::vector<std::string> exclude;
    std::vector<std::string> include;
    std::string witness = "auto";
    std::string cuobjdump;
    unsigned cuobjdump_timeout = 600;  // seconds, for one file
    std::string json;                  // a path, `-` for standard output, or empty
};

struct InspectOptions {
    ReadingOptions reading;
    std::vector<std::string> files;
    bool images = false;
};

struct AssertOptions {
    ReadingOptions reading;
    std::vector<std::string> wheels;
    std::string arch_list;
    std::string cuda;                         // empty: what nvcc can build is not checked
    std::string torch;                        // empty: what torch's cpp_extension takes is not checked
    std::vector<std::string> expect_members;  // GLOB=LIST
    std::string device_code = "required";     // or "none"
    bool per_member = false;
};

struct CoverageOptions {
    ReadingOptions reading;
    std::string wheel;
    std::string arch_list;
    std::vector<std::string> gpus;
};

// One of them is set, by the command that was named; none if help or the version was asked for and printed.
struct Options {
    std::optional<InspectOptions> inspect;
    std::optional<AssertOptions> asserted;
    std::optional<CoverageOptions> coverage;
    bool action = false;
};

// `arguments` without the program's name. Throws an Error (exit 2) that says what is wrong with them.
Options parse_options(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace wheelarch
