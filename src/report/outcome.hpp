// Outcome: what a command came to. Listener: what it says while it is at work. A command knows of no stream, runner or
// file of results: deliver.hpp alone decides what goes where.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/object.hpp>

#include "base/error.hpp"
#include "base/finding.hpp"

namespace wheelarch {

// A finding with the line that it is about, for what shows it there.
struct Located {
    Finding finding;
    std::string file = {};  // as seen from the working folder; empty: it is none of its files
    unsigned line = 0;      // 0: the file as a whole
    std::string root = {};  // the package that it was found in, and there
    std::string path = {};
    // The position of the first finding of the same problem, if this is a further place of it.
    std::optional<std::size_t> repeats = std::nullopt;
};

std::vector<Located> located(const std::vector<Finding>& findings);

// A rule, for the formats that list those that were asked.
struct RuleText {
    std::string id;
    std::string reason;
    std::string help;
    Severity severity = Severity::error;  // the highest that it gives
};

// Markdown that may be cut where there is little room.
struct Summary {
    std::string head;
    std::string table;
    std::vector<std::string> items;  // the most important first
    std::string gap;                 // in a job summary, before what comes next
};

// Writes JSON and a newline.
using JsonWriter = std::function<void(std::ostream&)>;

struct Outcome {
    ExitCode code = ExitCode::ok;
    std::string text;  // for people
    // The result as JSON, or what writes it where it is large; none: there is nothing for files.
    std::variant<std::monostate, boost::json::object, JsonWriter> result;
    std::vector<Located> findings;  // the text has told of them
    Summary summary;
    std::map<std::string, std::string> outputs;  // of a workflow's step, by name

    std::vector<RuleText> rules;                             // that were asked
    std::vector<std::pair<std::string, std::string>> roots;  // of `findings`, where they are no folders of the user's
};

// What is said is out at once: it outlives an Error that ends the command, and tells how a long run comes on.
class Listener {
public:
    virtual ~Listener() = default;

    // For people; left out where standard output is for a program.
    virtual void text(std::string_view text) = 0;
    // A line beside the result, on standard error where standard output is for a program.
    virtual void remark(std::string_view text) = 0;
    // A line about the run, on standard error.
    virtual void note(std::string_view text) = 0;
    // Standard output is for data(), and text() is not to come.
    virtual void reserve_for_data() = 0;
    // What a program reads from standard output, unless that is for a format.
    virtual void data(std::string_view text) = 0;

    // Findings that no text has: on standard error, and as annotations.
    virtual void say(const std::vector<Finding>& findings) = 0;
    // One input that could not be checked. Its annotation is left to the outcome: a runner takes few.
    virtual void failed(const Error& error) = 0;
    virtual void annotate(const std::vector<Located>& findings) = 0;
    virtual void summary(const std::string& markdown) = 0;

    // How far a long run is.
    virtual void begin(std::size_t total, const std::string& what) = 0;
    virtual void progress(std::size_t done, std::size_t bad) = 0;
    virtual void end(std::size_t done, std::size_t bad) = 0;

    // Is there a file for the result? What only such a file has need not be made otherwise.
    virtual bool wants_result() const = 0;
};

}  // namespace wheelarch
