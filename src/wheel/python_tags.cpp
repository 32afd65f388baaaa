#include "wheel/python_tags.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

std::optional<unsigned> number(std::string_view digits) {
    unsigned value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return code == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// `cp312`: an implementation, the major digit, and the minor unless there is none.
struct Interpreter {
    bool is_cpython = false;  // else `py`: any Python
    unsigned major = 0;
    std::optional<unsigned> minor;
};

std::optional<Interpreter> read_interpreter(std::string_view tag) {
    const bool is_cpython = tag.starts_with("cp");
    if ((!is_cpython && !tag.starts_with("py")) || tag.size() < 3 ||
        tag.find_first_not_of("0123456789", 2) != std::string_view::npos) {
        return std::nullopt;  // `pp310` and `pypy310`, `graalpy312`, `jy27`
    }
    Interpreter interpreter{is_cpython, static_cast<unsigned>(tag[2] - '0'), std::nullopt};
    if (tag.size() > 3) {
        interpreter.minor = number(tag.substr(3));
        if (!interpreter.minor) {
            return std::nullopt;
        }
    }
    return interpreter;
}

// CPython's ABI tag of its own. Before 3.8 the usual build had an `m` at its end, and before 3.3 perhaps a `u`.
bool is_own_abi(std::string_view abi_tag, const PythonVersion& python) {
    const std::string own = fmt::format("cp{}{}{}", python.major, *python.minor, python.free_threaded ? "t" : "");
    const bool is_old = python.major < 3 || *python.minor < 8;
    return abi_tag == own || (is_old && (abi_tag == own + "m" || abi_tag == own + "mu"));
}

// The stable ABI began with 3.2; that of the builds without the lock is another.
bool is_stable_abi(std::string_view abi_tag, const Interpreter& tag, const PythonVersion& python) {
    return abi_tag == (python.free_threaded ? "abi3t" : "abi3") && python.major == 3 && tag.minor && *tag.minor >= 2 &&
           *tag.minor <= *python.minor;
}

}  // namespace

std::optional<PythonVersion> read_python(std::string_view text) {
    PythonVersion python;
    python.free_threaded = text.ends_with('t');
    text.remove_suffix(python.free_threaded ? 1 : 0);
    const std::size_t dot = std::min(text.find('.'), text.size());
    const auto major = number(text.substr(0, dot));
    if (!major) {
        return std::nullopt;
    }
    python.major = *major;
    if (dot == text.size()) {
        return python;
    }
    const std::string_view rest = text.substr(dot + 1);
    const std::size_t second_dot = std::min(rest.find('.'), rest.size());
    python.minor = number(rest.substr(0, second_dot));
    const bool is_whole = second_dot == rest.size() || number(rest.substr(second_dot + 1));
    return python.minor && is_whole ? std::optional(python) : std::nullopt;
}

bool tag_serves(std::string_view python_tag, std::string_view abi_tag, const PythonVersion& python) {
    const std::string abi = lower_case(abi_tag);
    const auto tag = read_interpreter(lower_case(python_tag));
    if (!tag || tag->major != python.major) {
        return false;
    }
    if (!tag->is_cpython) {
        const bool reached = !tag->minor || (python.minor && *tag->minor <= *python.minor);
        return abi == "none" && reached;
    }
    if (!python.minor) {
        return abi == "none" && !tag->minor;
    }
    return (tag->minor == python.minor && (abi == "none" || is_own_abi(abi, python))) ||
           is_stable_abi(abi, *tag, python);
}

bool tags_serve(const std::vector<std::string>& python_tags, const std::vector<std::string>& abi_tags,
                std::string_view python) {
    const auto version = read_python(python);
    return version && std::any_of(python_tags.begin(), python_tags.end(), [&](const std::string& python_tag) {
               return std::any_of(abi_tags.begin(), abi_tags.end(), [&](const std::string& abi_tag) {
                   return tag_serves(python_tag, abi_tag, *version);
               });
           });
}

}  // namespace wheelarch
