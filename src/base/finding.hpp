// Finding: the input breaks a rule, or is worth a word. It is a value that commands collect and report; a run with
// at least one of severity `error` exits 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

enum class Severity { notice, warning, error };

struct Finding {
    std::string rule;  // stable id, e.g. "missing-arch"; docs/rules.md explains each
    Severity severity = Severity::error;
    std::string place;    // the input it is about: "wheel → member → region", empty if the run as a whole
    std::string message;  // what was expected and what was found
    std::string fix;      // what to do next; may be empty
};

std::string_view name(Severity severity);

// Does a run with these findings fail (exit 1)?
bool fails(const std::vector<Finding>& findings);

}  // namespace wheelarch
