#include "lint/device/conditions.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "lint/device/cuda_lexer.hpp"
#include "lint/device/feature_names.hpp"

namespace wheelarch {
namespace {

constexpr unsigned kDeepest = 64;       // parentheses and macros inside each other
constexpr unsigned kMostTokens = 4096;  // read for one condition in one pass

// An integer that may not be known.
using Value = std::optional<std::int64_t>;

Value truth(bool value) {
    return value ? 1 : 0;
}

// What a macro's parameters stand for.
struct Frame {
    std::vector<std::string_view> names;
    std::vector<Value> values;
};

struct Budget {
    unsigned depth = 0;
    unsigned tokens = 0;
    bool by_arch = false;
    bool spent() const { return depth > kDeepest || tokens > kMostTokens; }
};

struct Setting {
    const MacroTable& macros;
    std::size_t pass;
    Budget& budget;
};

std::optional<Arch> arch_in(const Setting& setting) {
    setting.budget.by_arch = true;
    return arch_of_pass(setting.pass);
}

// The definition that stands in this pass at the end of the text so far; null if there is none.
const MacroDefinition* standing(const std::vector<MacroDefinition>& definitions, std::size_t pass) {
    const auto found = std::find_if(definitions.rbegin(), definitions.rend(),
                                    [&](const MacroDefinition& definition) { return has_pass(definition.may, pass); });
    return found == definitions.rend() || found->removes ? nullptr : &*found;
}

bool differs_by_pass(const std::vector<MacroDefinition>& definitions) {
    return std::any_of(definitions.begin(), definitions.end(), [](const MacroDefinition& definition) {
        return devices(definition.may) != devices(every_pass());
    });
}

// 1, 0 or not known.
Value is_defined(std::string_view name, const Setting& setting) {
    if (const auto* own = setting.macros.find(name)) {
        setting.budget.by_arch = setting.budget.by_arch || differs_by_pass(*own);
        const MacroDefinition* definition = standing(*own, setting.pass);
        const bool sure = definition == nullptr || has_pass(definition->must, setting.pass);
        return sure ? truth(definition != nullptr) : std::nullopt;
    }
    if (const auto passes = passes_defining(name)) {
        setting.budget.by_arch = setting.budget.by_arch || *passes != kNoPass;
        return truth(has_pass(*passes, setting.pass));
    }
    return std::nullopt;
}

Value parse_integer(std::string_view text) {
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '\''; });
    const std::size_t end = digits.find_last_not_of("uUlLzZ");
    digits.resize(end == std::string::npos ? 0 : end + 1);
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
    const bool octal = !hex && !binary && digits.size() > 1 && digits[0] == '0';
    const int base = hex ? 16 : binary ? 2 : octal ? 8 : 10;
    const std::string_view body = std::string_view(digits).substr(hex || binary ? 2 : 0);
    std::int64_t value = 0;
    const auto [last, code] = std::from_chars(body.data(), body.data() + body.size(), value, base);
    return code == std::errc() && last == body.data() + body.size() ? Value(value) : std::nullopt;
}

struct Operator {
    std::string_view text;
    int binds;  // tighter is higher
};

constexpr Operator kOperators[] = {
    {"||", 1}, {"or", 1}, {"&&", 2},     {"and", 2}, {"|", 3},  {"^", 4},  {"&", 5},
    {"==", 6}, {"!=", 6}, {"not_eq", 6}, {"<", 7},   {">", 7},  {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"+", 9},      {"-", 9},   {"*", 10}, {"/", 10}, {"%", 10},
};

const Operator* find_operator(std::string_view text) {
    constexpr std::size_t kLongest = 6;
    if (text.size() > kLongest) {
        return nullptr;  // the names between operators
    }
    const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                     [&](const Operator& known) { return known.text == text; });
    return found == std::end(kOperators) ? nullptr : found;
}

Value logic(bool is_or, Value left, Value right) {
    const auto decides = [&](Value value) { return value && (*value != 0) == is_or; };
    if (decides(left) || decides(right)) {
        return truth(is_or);
    }
    return left && right ? truth(!is_or) : std::nullopt;
}

Value arithmetic(std::string_view op, std::int64_t left, std::int64_t right) {
    // Numbers of archs and versions are small; what is not stays unknown rather than overflow.
    constexpr std::int64_t kLargest = 1LL << 31;
    if (left > kLargest || left < -kLargest || right > kLargest || right < -kLargest) {
        return std::nullopt;
    }
    switch (op.front()) {
        case '+': return left + right;
        case '-': return left - right;
        case '*': return left * right;
        case '/': return right == 0 ? Value() : left / right;
        case '%': return right == 0 ? Value() : left % right;
        case '|': return left | right;
        case '^': return left ^ right;
        case '&': return left & right;
        default: return std::nullopt;
    }
}

Value apply(std::string_view op, Value left, Value right) {
    if (op == "||" || op == "or" || op == "&&" || op == "and") {
        return logic(op == "||" || op == "or", left, right);
    }
    if (!left || !right) {
        return std::nullopt;
    }
    if (op == "==") {
        return truth(*left == *right);
    }
    if (op == "!=" || op == "not_eq") {
        return truth(*left != *right);
    }
    if (op == "<" || op == ">") {
        return truth(op == "<" ? *left < *right : *left > *right);
    }
    if (op == "<=" || op == ">=") {
        return truth(op == "<=" ? *left <= *right : *left >= *right);
    }
    if (op == "<<" || op == ">>") {
        const bool small = *left >= 0 && *left <= INT32_MAX && *right >= 0 && *right < 32;
        return !small ? Value() : op == "<<" ? *left << *right : *left >> *right;
    }
    return arithmetic(op, *left, *right);
}

Value evaluate(std::string_view text, const Setting& setting, const Frame& frame);

class Evaluator {
public:
    Evaluator(std::string_view text, const Setting& setting, const Frame& frame)
        : text_(text), lexer_(text, CudaLexer::Mode::fragment), setting_(setting), frame_(frame) {
        advance();
    }

    // Unknown if there is more than one expression in the text.
    Value whole() {
        const Value value = ternary();
        return token_.kind == CudaToken::Kind::end && !setting_.budget.spent() ? value : std::nullopt;
    }

private:
    void advance() { token_ = ++setting_.budget.tokens > kMostTokens ? CudaToken() : lexer_.next(); }

    bool take(std::string_view text) {
        const bool is = token_.is(text);
        if (is) {
            advance();
        }
        return is;
    }

    Value ternary() {
        const Value condition = binary(1);
        if (!take("?")) {
            return condition;
        }
        const Value yes = ternary();
        take(":");
        const Value no = ternary();
        if (!condition) {
            return yes == no ? yes : std::nullopt;
        }
        return *condition != 0 ? yes : no;
    }

    Value binary(int at_least) {
        Value left = unary();
        const Operator* op = find_operator(token_.text);
        while (op != nullptr && op->binds >= at_least) {
            advance();
            const Value right = binary(op->binds + 1);
            left = apply(op->text, left, right);
            op = find_operator(token_.text);
        }
        return left;
    }

    Value unary() {
        if (++setting_.budget.depth > kDeepest) {
            return std::nullopt;
        }
        Value value;
        if (take("!") || take("not")) {
            const Value inner = unary();
            value = inner ? truth(*inner == 0) : std::nullopt;
        } else if (take("-")) {
            const Value inner = unary();
            value = inner && *inner != INT64_MIN ? Value(-*inner) : std::nullopt;
        } else if (take("+")) {
            value = unary();
        } else {
            value = primary();
        }
        --setting_.budget.depth;
        return value;
    }

    Value primary() {
        if (take("(")) {
            const Value value = ternary();
            take(")");
            return value;
        }
        const CudaToken::Kind kind = token_.kind;
        if (kind == CudaToken::Kind::number) {
            const Value value = parse_integer(token_.text);
            advance();
            return value;
        }
        if (kind != CudaToken::Kind::word) {
            if (kind != CudaToken::Kind::end && !token_.is(")")) {
                advance();
            }
            return std::nullopt;
        }
        const std::string name(token_.text);
        advance();
        return name == "defined" ? defined() : word(name);
    }

    Value defined() {
        const bool open = take("(");
        const std::string name(token_.text);
        advance();
        if (open) {
            take(")");
        }
        return is_defined(name, setting_);
    }

    Value word(const std::string& name) {
        const auto parameter = std::find(frame_.names.begin(), frame_.names.end(), name);
        if (parameter != frame_.names.end()) {
            const auto index = static_cast<std::size_t>(parameter - frame_.names.begin());
            return index < frame_.values.size() ? frame_.values[index] : std::nullopt;
        }
        if (name == "__CUDA_ARCH_HAS_FEATURE__") {
            return has_feature();
        }
        const std::vector<Value> arguments = token_.is("(") ? take_arguments() : std::vector<Value>();
        if (const auto* own = setting_.macros.find(name)) {
            return macro(*own, arguments);
        }
        return built_in(name, arguments);
    }

    // As crt/host_defines.h of CUDA has it: `__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)`.
    Value has_feature() {
        take("(");
        const Value value = is_defined("__CUDA_ARCH_FEAT_" + std::string(token_.text), setting_);
        advance();
        take(")");
        return value;
    }

    std::vector<Value> take_arguments() {
        std::vector<Value> arguments;
        advance();
        while (token_.kind != CudaToken::Kind::end && !token_.is(")")) {
            arguments.push_back(ternary());
            while (token_.kind != CudaToken::Kind::end && !token_.is(",") && !token_.is(")")) {
                advance();
            }
            take(",");
        }
        take(")");
        return arguments;
    }

    Value macro(const std::vector<MacroDefinition>& definitions, const std::vector<Value>& arguments) {
        setting_.budget.by_arch = setting_.budget.by_arch || differs_by_pass(definitions);
        const MacroDefinition* definition = standing(definitions, setting_.pass);
        if (definition == nullptr) {
            return 0;  // as the preprocessor has it
        }
        Frame frame;
        if (definition->function_like) {
            frame.values = arguments;
            CudaLexer names(definition->parameters, CudaLexer::Mode::fragment);
            for (CudaToken name = names.next(); name.kind != CudaToken::Kind::end; name = names.next()) {
                if (name.kind == CudaToken::Kind::word) {
                    frame.names.push_back(definition->parameters.substr(name.offset, name.text.size()));
                }
            }
        }
        return evaluate(definition->body, setting_, frame);
    }

    Value built_in(const std::string& name, const std::vector<Value>& arguments) {
        if (name == "true" || name == "false") {
            return truth(name == "true");
        }
        if (name == "__CUDA_ARCH__" || name == "__CUDA_MINIMUM_ARCH__" || name == "CUB_PTX_ARCH") {
            const auto arch = arch_in(setting_);
            return arch ? Value(std::int64_t{arch->number} * 10) : 0;
        }
        // nvcc 13.0 gives both the number of the arch itself.
        const bool family = name == "__CUDA_ARCH_FAMILY_SPECIFIC__" || name == "CUDA_ARCH_FAMILY" ||
                            name == "CUDA_ARCH_CONDITIONAL_OR_FAMILY";
        if (family || name == "__CUDA_ARCH_SPECIFIC__" || name == "CUDA_ARCH_CONDITIONAL") {
            const auto arch = arch_in(setting_);
            const bool has = arch && (arch->suffix == 'a' || (family && arch->suffix == 'f'));
            const std::int64_t value = has ? std::int64_t{arch->number} * 10 : 0;
            if (name.starts_with("__")) {
                return value;
            }
            return arguments.size() == 1 && arguments[0] ? truth(value == *arguments[0]) : std::nullopt;
        }
        return is_defined(name, setting_);
    }

    std::string_view text_;
    CudaLexer lexer_;
    const Setting& setting_;
    const Frame& frame_;
    CudaToken token_;
};

Value evaluate(std::string_view text, const Setting& setting, const Frame& frame) {
    if (++setting.budget.depth > kDeepest) {
        return std::nullopt;
    }
    const Value value = Evaluator(text, setting, frame).whole();
    --setting.budget.depth;
    return value;
}

// One pass first: most conditions are the same in all.
template <typename Evaluate>
Truth in_every_pass(const MacroTable& macros, const Evaluate& in_pass) {
    Truth result;
    for (std::size_t pass = 0; pass < pass_count(); ++pass) {
        Budget budget;
        const Value value = in_pass(Setting{macros, pass, budget});
        result.by_arch = result.by_arch || budget.by_arch;
        result.tokens += budget.tokens;
        const ArchMask bits = result.by_arch ? ArchMask{1} << pass : every_pass();
        result.can_be_true |= !value || *value != 0 ? bits : kNoPass;
        result.can_be_false |= !value || *value == 0 ? bits : kNoPass;
        if (!result.by_arch) {
            return result;
        }
    }
    return result;
}

}  // namespace

Truth evaluate_condition(std::string_view text, const MacroTable& macros) {
    return in_every_pass(macros, [&](const Setting& setting) { return evaluate(text, setting, Frame()); });
}

Truth evaluate_defined(std::string_view name, const MacroTable& macros) {
    return in_every_pass(macros, [&](const Setting& setting) { return is_defined(name, setting); });
}

}  // namespace wheelarch
