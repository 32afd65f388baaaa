#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "lint/build/build_settings.hpp"
#include "lint/build/nvcc_targets.hpp"
#include "lint/build/python_script.hpp"

namespace wheelarch {
namespace {

using Range = PyScript::Range;

// `setup.py`, `setup_cuda.py`, `build.py` and the like; others only if they use what builds extensions.
bool is_build_name(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.starts_with("setup") || name.starts_with("build") || name.starts_with("_build");
}

bool names_environment(const PyToken& token) {
    return token.kind == PyToken::Kind::name && lower_case(token.text).find("env") != std::string::npos;
}

// Calls whose strings are for people.
bool is_said(Range statement) {
    constexpr std::array<std::string_view, 4> kSaying = {"print", "raise", "warn", "assert"};
    return std::any_of(statement.begin(), statement.end(), [&](const PyToken& token) {
        return token.kind == PyToken::Kind::name &&
               std::find(kSaying.begin(), kSaying.end(), token.text) != kSaying.end();
    });
}

class PythonSettings {
public:
    PythonSettings(std::string_view path, std::string_view text) : lines_(text), script_(text) {
        if (!script_.builds() && !is_build_name(path)) {
            return;
        }
        probes_ = text.find("get_device_capability") != std::string_view::npos && !names_list_variable(text);
        for (const PyStatement& statement : script_.statements()) {
            flags_for_nvcc(script_.tokens(statement));
        }
        for (const PyStatement& statement : script_.statements()) {
            const Range tokens = script_.tokens(statement);
            overrides(tokens, statement.guard);
            if (statement.guard == ListGuard::none && !is_said(tokens)) {
                targets(tokens);
                names_of_targets(tokens);
            }
            numbers(tokens);
        }
    }

    std::vector<BuildSetting> take() { return std::move(settings_); }

private:
    void overrides(Range tokens, ListGuard guard) {
        if (guard == ListGuard::unset) {
            return;
        }
        const Severity severity = guard == ListGuard::none ? Severity::error : Severity::warning;
        const bool may_run = guard == ListGuard::none && !is_said(tokens);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (const auto value = new_value(tokens, i)) {
                assigned(tokens, i, *value, severity);
            } else if (const auto table = into_environment(tokens, i)) {
                add(BuildSetting::Kind::overrides, tokens[i], *table, severity);
            } else if (takes_away(tokens, i) || replaces_flags(tokens, i)) {
                add(BuildSetting::Kind::overrides, tokens[i], "", severity);
            } else if (tokens[i].kind == PyToken::Kind::string && may_run) {
                if (std::string list = list_in(tokens, tokens[i].text); !list.empty()) {
                    add(BuildSetting::Kind::overrides, tokens[i], std::move(list), severity);
                }
            }
        }
    }

    // `value` is what the variable named at `i` becomes, or what it gets besides.
    void assigned(Range tokens, std::size_t i, Range value, Severity severity) {
        const bool adds = i + 2 < tokens.size() && tokens[i + 2].is("+=");
        const auto other = instead_of_list(value);
        if (const std::string more = addition(value, adds); !more.empty()) {
            add(BuildSetting::Kind::overrides, tokens[i], more, Severity::warning);
        } else if (other || !script_.reads_list(value)) {
            // An empty list is mostly for a build that would fail with any.
            const auto list = script_.literal(other.value_or(value));
            add(BuildSetting::Kind::overrides, tokens[i], list.value_or(""),
                list && list->empty() ? Severity::warning : severity);
        }
    }

    // `os.environ[KEY] + ";7.0"`, and `";7.0"` where it is added: `+7.0`.
    std::string addition(Range value, bool adds) const {
        const std::size_t plus = adds ? 0 : find_outside(value, "+");
        const Range more = adds ? value : value.subspan(std::min(plus + 1, value.size()));
        const auto text = !adds && !script_.reads_list(value.first(plus)) ? std::nullopt : script_.literal(more);
        return text ? added_to_list("$" + std::string(kTorchList) + *text) : std::string();
    }

    // Of `"7.0" if x else os.environ[KEY]` the one that does not come from the list, if the condition does not either.
    std::optional<Range> instead_of_list(Range value) const {
        const std::size_t condition = find_outside(value, "if");
        const std::size_t otherwise = find_outside(value, "else");
        if (condition >= otherwise || otherwise == value.size() ||
            script_.reads_list(value.subspan(condition + 1, otherwise - condition - 1))) {
            return std::nullopt;
        }
        for (const Range branch : {value.first(condition), value.subspan(otherwise + 1)}) {
            if (!script_.reads_list(branch)) {
                return branch;
            }
        }
        return std::nullopt;
    }

    // `os.environ.update(NAME)`, `{**os.environ, **NAME}`, `os.environ |= NAME` of a table with a list.
    std::optional<std::string> into_environment(Range tokens, std::size_t i) const {
        if (i < 2 || !script_.table(tokens[i])) {
            return std::nullopt;
        }
        const bool update =
            i >= 4 && tokens[i - 1].is("(") && tokens[i - 2].is_name("update") && names_environment(tokens[i - 4]);
        const bool joined = tokens[i - 1].is("|=") && names_environment(tokens[i - 2]);
        const bool spread =
            tokens[i - 1].is("**") &&
            std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i), names_environment);
        return update || joined || spread ? script_.table(tokens[i]) : std::nullopt;
    }

    // `cpp_extension._get_cuda_arch_flags = …`: what torch makes flags by.
    bool replaces_flags(Range tokens, std::size_t i) const {
        if (i == 0 || i + 1 >= tokens.size() || tokens[i].text != kTorchFlags) {
            return false;
        }
        const bool assigned = tokens[i - 1].is(".") && tokens[i + 1].is("=");
        const bool by_name = tokens[i].kind == PyToken::Kind::string && tokens.front().is_name("setattr");
        return (assigned || by_name) && !script_.reads_list(tokens.subspan(i + 2));
    }

    // `-DCMAKE_CUDA_ARCHITECTURES=80`; `TORCH_CUDA_ARCH_LIST=7.0 make` where commands are run.
    static std::string list_in(Range tokens, std::string_view text) {
        constexpr std::array<std::string_view, 7> kRunning = {"system",       "run",   "call", "check_call",
                                                              "check_output", "Popen", "popen"};
        const bool runs = std::any_of(tokens.begin(), tokens.end(), [&](const PyToken& token) {
            return std::find(kRunning.begin(), kRunning.end(), token.text) != kRunning.end();
        });
        std::string list = list_in_define(text);
        return list.empty() && runs ? list_in_command(text) : list;
    }

    // What the environment's variable, named at `i`, becomes.
    std::optional<Range> new_value(Range tokens, std::size_t i) const {
        const auto until = [&](std::size_t begin, std::string_view end) {
            const Range rest = tokens.subspan(std::min(begin, tokens.size()));
            std::size_t size = std::min(find_outside(rest, end), find_outside(rest, ";"));
            for (const std::string_view bracket : {")", "}"}) {
                size = std::min(size, end == "," ? find_outside(rest, bracket) : size);
            }
            return rest.first(size);
        };
        const auto is = [&](std::size_t at, std::string_view op) { return at < tokens.size() && tokens[at].is(op); };
        if (i == 0 || !(script_.is_key(tokens[i]) || is_list_variable(tokens[i].text))) {
            return std::nullopt;
        }
        const bool environment =
            std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i), names_environment);
        if (!script_.is_key(tokens[i])) {  // update(KEY="…")
            return environment && is(i + 1, "=") ? std::optional(until(i + 2, ",")) : std::nullopt;
        }
        if (i >= 2 && is(i - 1, "[") && names_environment(tokens[i - 2]) && is(i + 1, "]")) {
            // `os.environ[KEY], x = …` is of several.
            const bool first = is(i + 2, ",") && find_outside(tokens, ",") == i + 2;
            const std::size_t equals = first ? find_outside(tokens, "=") : i + 2;
            return is(equals, "=") || is(equals, "+=") ? std::optional(until(equals + 1, ";")) : std::nullopt;
        }
        if (environment && is(i + 1, ":")) {  // update({KEY: …})
            return until(i + 2, ",");
        }
        const bool call = i >= 2 && is(i - 1, "(") && is(i + 1, ",");
        const bool sets =
            call && (tokens[i - 2].is_name("putenv") || (tokens[i - 2].is_name("__setitem__") && environment));
        return sets ? std::optional(until(i + 2, ",")) : std::nullopt;
    }

    // `del os.environ[KEY]`, `os.environ.pop(KEY)`, `unsetenv(KEY)`: torch then builds for the GPUs that it sees.
    bool takes_away(Range tokens, std::size_t i) const {
        if (i < 2 || !script_.is_key(tokens[i])) {
            return false;
        }
        const bool subscript = tokens[i - 1].is("[") && names_environment(tokens[i - 2]);
        const bool popped =
            i >= 4 && tokens[i - 1].is("(") && tokens[i - 2].is_name("pop") && names_environment(tokens[i - 4]);
        return (subscript && tokens.front().is_name("del")) || popped || tokens[i - 2].is_name("unsetenv");
    }

    void targets(Range tokens) {
        const bool documentation = std::all_of(
            tokens.begin(), tokens.end(), [](const PyToken& token) { return token.kind == PyToken::Kind::string; });
        if (documentation) {
            return;
        }
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const PyToken& token = tokens[i];
            const bool compared = i > 0 && (tokens[i - 1].is("==") || tokens[i - 1].is("!="));
            const bool searched = i + 1 < tokens.size() && tokens[i + 1].is_name("in");
            if (token.kind != PyToken::Kind::string || compared || searched) {
                continue;
            }
            std::string flag(token.text);
            if (flag == "-arch" || flag == "--gpu-architecture") {  // the target is the next one
                for (std::size_t next = i + 1; next < std::min(i + 3, tokens.size()); ++next) {
                    flag += tokens[next].kind == PyToken::Kind::string ? "=" + std::string(tokens[next].text) : "";
                }
            }
            const bool target = has_target_flag(flag);
            std::string list = target ? named_targets(flags_with_items(token, std::move(flag))) : std::string();
            if (target && list.empty() && token.formatted && probes_) {
                list = "native";
            }
            if (!list.empty()) {
                add(BuildSetting::Kind::targets, token, list, Severity::warning);
            } else if (!token.formatted && !target && stops_torch(token.text) && for_nvcc(tokens, i)) {
                add(BuildSetting::Kind::targets, token, "", Severity::warning);
            }
        }
    }

    // An f-string in a loop stands for as many flags.
    std::string flags_with_items(const PyToken& token, std::string flag) {
        constexpr std::size_t kMostLoops = 2'000;  // of a file
        constexpr std::size_t kLongest = 400;
        if (!token.formatted || token.text.size() > kLongest || ++loops_ > kMostLoops) {
            return flag;
        }
        std::string flags;
        for (const std::string& one : script_.texts(token)) {
            flags += one + " ";
        }
        return flags;
    }

    // `archs = [("compute_80", "sm_80"), "compute_90"]`, of which flags are made.
    void names_of_targets(Range tokens) {
        if (find_outside(tokens, "=") >= tokens.size() && find_outside(tokens, "+=") >= tokens.size()) {
            return;
        }
        ArchSet archs;
        const PyToken* first = nullptr;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string_view text = tokens[i].text;
            const bool real = text.starts_with("sm_");
            if (tokens[i].kind != PyToken::Kind::string || !(real || text.starts_with("compute_"))) {
                continue;
            }
            if (const auto arch = parse_bare_arch(text.substr(text.find('_') + 1))) {
                // The virtual arch before a real one is how it is made.
                const bool by_pair =
                    !real && i + 2 < tokens.size() && tokens[i + 1].is(",") && tokens[i + 2].text.starts_with("sm_");
                if (!by_pair) {
                    (real ? archs.sass : archs.ptx).insert(*arch);
                }
                first = first == nullptr ? &tokens[i] : first;
            }
        }
        if (archs.sass.size() >= 2) {
            add(BuildSetting::Kind::targets, *first, to_arch_list(archs), Severity::warning);
        }
    }

    // torch adds no targets to flags that hold `arch`: _get_cuda_arch_flags in torch/utils/cpp_extension.py.
    static bool stops_torch(std::string_view flag) {
        return flag.starts_with('-') && flag.find("arch") != std::string_view::npos &&
               flag.find("offload-arch") == std::string_view::npos &&
               flag.find("TORCH_EXTENSION_NAME") == std::string_view::npos;
    }

    // `{"nvcc": NAME + …}`, `dict(nvcc=NAME)`, `extra_cuda_cflags=NAME`: names of flags for nvcc.
    void flags_for_nvcc(Range tokens) {
        for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
            const bool key = tokens[i].kind == PyToken::Kind::string && tokens[i].text == "nvcc";
            const bool keyword = tokens[i].is_name("nvcc") || tokens[i].is_name("extra_cuda_cflags");
            std::size_t at = i + 1;
            at += key && tokens[at].is("]") ? 1 : 0;
            if ((key && (tokens[at].is(":") || tokens[at].is("=") || tokens[at].is("+="))) ||
                (keyword && tokens[at].is("="))) {
                // As far as it is a sum of names.
                for (++at; at < tokens.size() && (tokens[at].is("+") || tokens[at].kind == PyToken::Kind::name); ++at) {
                    nvcc_flags_.insert(tokens[at].text);
                }
            }
        }
    }

    bool is_for_nvcc(const PyToken& name) const {
        return name.kind == PyToken::Kind::name &&
               (name.text.find("nvcc") != std::string_view::npos || name.is_name("extra_cuda_cflags") ||
                nvcc_flags_.contains(name.text));
    }

    // Does the string at `at` stand in a list for nvcc: `{"nvcc": […]}`, `nvcc_flags += […]`, `nvcc_args.append(…)`?
    bool for_nvcc(Range tokens, std::size_t at) const {
        std::size_t depth = 0;
        for (std::size_t i = at; i-- > 0;) {
            const PyToken& token = tokens[i];
            if (token.is("]") || token.is(")") || token.is("}")) {
                ++depth;
            } else if (token.is("[") || token.is("(") || token.is("{")) {
                depth -= depth > 0 ? 1 : 0;
            }
            // `"cxx": [` comes nearer than `"nvcc": [`, if it is for the compiler of C++.
            if (depth == 0 && i + 1 < tokens.size() && tokens[i + 1].is(":") && token.kind == PyToken::Kind::string) {
                return token.text == "nvcc";
            }
            if (depth == 0 && is_for_nvcc(token)) {
                return true;
            }
        }
        return false;
    }

    void numbers(Range tokens) {
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
            const bool number = tokens[i].is_name("int") || tokens[i].is_name("float");
            Range argument;
            if (number && tokens[i + 1].is("(")) {
                argument = tokens.subspan(i + 2, closing_bracket(tokens, i + 1) - i - 2);
            } else if (number && i >= 2 && tokens[i - 2].is_name("map") && tokens[i + 1].is(",")) {
                argument = tokens.subspan(i + 2);
            }
            if (!argument.empty() && script_.reads_list(argument) && !strips(argument)) {
                add(BuildSetting::Kind::number, tokens[i], "", Severity::warning);
            }
        }
    }

    // Something that may take the suffix off, or count rather than read.
    static bool strips(Range argument) {
        constexpr std::array<std::string_view, 8> kStripping = {"rstrip", "strip", "re",     "sub",
                                                                "match",  "group", "filter", "len"};
        return std::any_of(argument.begin(), argument.end(), [&](const PyToken& token) {
            return token.kind == PyToken::Kind::name &&
                   std::find(kStripping.begin(), kStripping.end(), token.text) != kStripping.end();
        });
    }

    void add(BuildSetting::Kind kind, const PyToken& token, std::string list, Severity severity) {
        settings_.push_back({kind, token.line, token.column, std::move(list), lines_.at(token.line), severity});
    }

    LineTexts lines_;
    PyScript script_;
    std::size_t loops_ = 0;
    // It asks the GPU that it sees for its arch, and nowhere for the list.
    bool probes_ = false;
    std::set<std::string_view> nvcc_flags_;
    std::vector<BuildSetting> settings_;
};

}  // namespace

std::vector<BuildSetting> python_settings(std::string_view path, std::string_view text) {
    const bool may_be_build = is_build_name(path) || PyScript::may_build(text);
    return may_be_build ? PythonSettings(path, text).take() : std::vector<BuildSetting>();
}

}  // namespace wheelarch
