#include "lint/build/python_script.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

using Range = PyScript::Range;

constexpr std::array<std::string_view, 9> kBuilders = {"setuptools",    "distutils",      "skbuild",
                                                       "CUDAExtension", "CppExtension",   "BuildExtension",
                                                       "build_ext",     "CMakeExtension", "ext_modules"};

// Tokens of a logical line. A longer one is a table; looking into it costs by the square.
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostItems = 64;  // of a loop
// Bytes of a text that is put together.
constexpr std::size_t kLongestText = 4096;

bool opens(const PyToken& token) {
    return token.is("(") || token.is("[") || token.is("{");
}

bool closes(const PyToken& token) {
    return token.is(")") || token.is("]") || token.is("}");
}

bool is_text(const PyToken& token) {
    return token.kind == PyToken::Kind::string && (!token.formatted || token.text.find('{') == std::string_view::npos);
}

// `"TORCH_" "CUDA_ARCH_LIST"` and `"TORCH_" + "CUDA_ARCH_LIST"` become the one string that they are.
std::vector<PyToken> with_whole_names(std::vector<PyToken> tokens) {
    std::vector<PyToken> whole;
    whole.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        whole.push_back(tokens[i]);
        if (!is_text(tokens[i]) || tokens[i].text.empty() || !kTorchList.starts_with(tokens[i].text)) {
            continue;
        }
        std::string name(tokens[i].text);
        std::size_t next = i + 1;
        while (next + 1 < tokens.size() && name.size() < kTorchList.size()) {
            next += tokens[next].is("+") ? 1 : 0;
            if (!is_text(tokens[next])) {
                break;
            }
            name += tokens[next++].text;
        }
        if (name == kTorchList && next > i + 1) {
            whole.back().text = kTorchList;
            i = next - 1;
        }
    }
    return whole;
}

// `(…)` around the whole.
Range without_parentheses(Range range) {
    while (range.size() >= 2 && range.front().is("(") && closing_bracket(range, 0) == range.size() - 1) {
        range = range.subspan(1, range.size() - 2);
    }
    return range;
}

}  // namespace

std::size_t find_outside(Range range, std::string_view op) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < range.size(); ++i) {
        if (depth == 0 && range[i].is(op)) {
            return i;
        }
        depth += opens(range[i]) ? 1 : 0;
        depth -= closes(range[i]) && depth > 0 ? 1 : 0;
    }
    return range.size();
}

std::size_t closing_bracket(Range range, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < range.size(); ++i) {
        depth += opens(range[i]) ? 1 : 0;
        if (closes(range[i]) && --depth == 0) {
            return i;
        }
    }
    return range.size();
}

PyScript::PyScript(std::string_view text) : tokens_(with_whole_names(lex_python(text))) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].kind == PyToken::Kind::newline) {
            if (i > begin && i - begin <= kLongestLine) {
                lines_.push_back({begin, i, tokens_[begin].indent});
            }
            begin = i + 1;
        }
        builds_ = builds_ || (tokens_[i].kind == PyToken::Kind::name &&
                              std::find(kBuilders.begin(), kBuilders.end(), tokens_[i].text) != kBuilders.end());
    }
    find_scopes();
    find_names();
    find_statements();
}

bool PyScript::may_build(std::string_view text) {
    return std::any_of(kBuilders.begin(), kBuilders.end(), [&](std::string_view name) { return has_part(text, name); });
}

bool PyScript::is_key(const PyToken& token) const {
    return (token.kind == PyToken::Kind::string && (token.text == kTorchList || token.text == "CUDAARCHS")) ||
           (token.kind == PyToken::Kind::name && keys_.contains(token.text));
}

bool PyScript::reads_list(Range range) const {
    return std::any_of(range.begin(), range.end(),
                       [&](const PyToken& token) { return is_key(token) || is_derived(token); });
}

bool PyScript::is_derived(const PyToken& token) const {
    return token.kind == PyToken::Kind::name && (token.text == kTorchFlags || derived_.contains({0, token.text}) ||
                                                 derived_.contains({scope_of(token), token.text}));
}

std::size_t PyScript::scope_of(const PyToken& token) const {
    const auto at = static_cast<std::size_t>(&token - tokens_.data());
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), at,
                                        [](std::size_t place, const Line& line) { return place < line.begin; });
    return after == lines_.begin() ? 0 : std::prev(after)->scope;
}

void PyScript::find_scopes() {
    std::vector<std::pair<unsigned, std::size_t>> around;  // indents of `def` lines, and their scopes
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        while (!around.empty() && lines_[i].indent <= around.back().first) {
            around.pop_back();
        }
        lines_[i].scope = around.empty() ? 0 : around.back().second;
        if (tokens_[lines_[i].begin].is_name("def")) {
            around.emplace_back(lines_[i].indent, i + 1);
        }
    }
}

std::optional<std::string> PyScript::literal(Range range) const {
    range = without_parentheses(range);
    if (range.size() == 1 && range.front().kind == PyToken::Kind::name) {
        const auto found = texts_.find(range.front().text);
        return found == texts_.end() ? std::nullopt : std::optional(found->second);
    }
    // `";".join(items)`
    if (range.size() > 4 && is_text(range[0]) && range[1].is(".") && range[2].is_name("join") && range[3].is("(") &&
        closing_bracket(range, 3) == range.size() - 1) {
        const auto items = literal_items(range.subspan(4, range.size() - 5));
        if (!items) {
            return std::nullopt;
        }
        std::string text;
        for (const std::string& item : *items) {
            text += (text.empty() ? "" : std::string(range[0].text)) + item;
        }
        return text.size() <= kLongestText ? std::optional(std::move(text)) : std::nullopt;
    }
    std::string text;
    for (const PyToken& token : range) {
        if (is_text(token)) {
            text += token.text;
        } else if (!token.is("+")) {
            return std::nullopt;
        }
    }
    return range.empty() || text.size() > kLongestText ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::vector<std::string>> PyScript::literal_items(Range range) const {
    if (const Range inner = without_parentheses(range); find_outside(inner, ",") == inner.size()) {
        range = inner;  // it is no tuple
    }
    if (range.size() == 1 && range.front().kind == PyToken::Kind::name) {
        const auto found = items_.find(range.front().text);
        return found == items_.end() ? std::nullopt : std::optional(found->second);
    }
    if (range.empty() || !(range.front().is("[") || range.front().is("(") || range.front().is("{")) ||
        closing_bracket(range, 0) != range.size() - 1) {
        return std::nullopt;
    }
    std::vector<std::string> items;
    std::size_t bytes = 0;
    for (Range rest = range.subspan(1, range.size() - 2); !rest.empty();) {
        const std::size_t comma = find_outside(rest, ",");
        const bool number = comma == 1 && rest.front().kind == PyToken::Kind::number;
        auto item = number ? std::optional(std::string(rest.front().text)) : literal(rest.first(comma));
        bytes += item ? item->size() : 0;
        if (!item || bytes > kLongestText) {
            return std::nullopt;
        }
        items.push_back(*std::move(item));
        rest = rest.subspan(std::min(comma + 1, rest.size()));
    }
    return items;
}

// `NAME in …` after a `for`.
void PyScript::note_loop(Range after_for) {
    const auto place = [&](auto test) {
        return static_cast<std::size_t>(std::find_if(after_for.begin(), after_for.end(), test) - after_for.begin());
    };
    const std::size_t in = place([](const PyToken& token) { return token.is_name("in"); });
    const Range names = after_for.first(in);
    Range range = after_for.subspan(std::min(in + 1, after_for.size()));
    const bool of_list = reads_list(range);
    if (of_list) {
        for (const PyToken& token : names) {
            if (token.kind == PyToken::Kind::name) {
                derived_.insert({scope_of(token), token.text});
            }
        }
    }
    for (const std::string_view end : {":", "]", ")", "}", "if", "for"}) {
        range = range.first(find_outside(range, end));
    }
    if (names.size() == 1) {
        auto items = of_list ? std::nullopt : literal_items(range);
        const bool known = items && items->size() <= kMostItems;
        // Of two loops with one name it is not known which is meant.
        const auto [loop, is_new] = loops_.try_emplace(names.front().text);
        loop->second = known && (is_new || loop->second == *items) ? *std::move(items) : std::vector<std::string>();
    }
}

// `NAME = {KEY: value}`.
void PyScript::note_table(std::string_view name, Range value) {
    for (std::size_t i = 1; i + 1 < value.size(); ++i) {
        if (is_key(value[i]) && value[i + 1].is(":")) {
            Range entry = value.subspan(i + 2);
            entry = entry.first(std::min(find_outside(entry, ","), find_outside(entry, "}")));
            if (!reads_list(entry)) {
                tables_.insert_or_assign(name, literal(entry).value_or(""));
            }
        }
    }
}

std::optional<std::string> PyScript::table(const PyToken& token) const {
    const auto found = token.kind == PyToken::Kind::name ? tables_.find(token.text) : tables_.end();
    return found == tables_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> PyScript::texts(const PyToken& token) const {
    const std::size_t open = token.formatted ? token.text.find('{') : std::string_view::npos;
    const std::size_t close = token.text.find('}', std::min(open, token.text.size()));
    if (close == std::string_view::npos) {
        return {std::string(token.text)};
    }
    const std::string_view field = token.text.substr(open, close + 1 - open);
    const auto loop = loops_.find(field.substr(1, field.size() - 2));
    if (loop == loops_.end() || loop->second.empty() || token.text.size() > kLongestText) {
        return {std::string(token.text)};
    }
    std::vector<std::string> texts;
    for (const std::string& item : loop->second) {
        std::string text(token.text);
        for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field, at + item.size())) {
            text.replace(at, field.size(), item);
        }
        texts.push_back(std::move(text));
    }
    return texts;
}

// `NAME = …`, `for NAME in …`: what the name then stands for.
void PyScript::note_assignment(Range line) {
    const auto names_before = [&](std::size_t end, Range value) {
        if (!reads_list(value)) {
            return;
        }
        for (const PyToken& token : line.first(end)) {
            // An attribute is everyone's.
            const bool attribute = &token != line.data() && (&token)[-1].is(".");
            if (token.kind == PyToken::Kind::name && token.text != "self") {
                derived_.insert({attribute ? 0 : scope_of(token), token.text});
            }
        }
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        // Loops and comprehensions, wherever they stand.
        if (line[i].is_name("for")) {
            note_loop(line.subspan(i + 1));
        }
    }
    std::size_t equals = find_outside(line, "=");
    if (equals == line.size()) {
        equals = std::min({find_outside(line, "+="), find_outside(line, ":="), line.size()});
    }
    if (equals == 0 || equals == line.size() || line.front().is_name("def")) {
        return;
    }
    const Range value = line.subspan(equals + 1);
    const bool plain = equals == 1 && line.front().kind == PyToken::Kind::name && line[1].is("=");
    if (plain && value.size() == 1 && is_key(value.front())) {
        keys_.insert(line.front().text);
        return;
    }
    if (plain) {
        if (auto text = literal(value)) {
            texts_.insert_or_assign(line.front().text, *std::move(text));
        } else if (auto items = literal_items(value)) {
            items_.insert_or_assign(line.front().text, *std::move(items));
        } else if (!value.empty() && value.front().is("{")) {
            note_table(line.front().text, value);
        }
    }
    // Not `os.environ[KEY] = …`: that is no name of ours.
    if (line[equals - 1].kind == PyToken::Kind::name && find_outside(line.first(equals), "[") == equals) {
        names_before(equals, value);
    }
}

// A function that returns what comes from the list, and the names of its parameters.
void PyScript::note_function(std::size_t line) {
    const Line& head = lines_[line];
    const Range tokens = Range(tokens_).subspan(head.begin, head.end - head.begin);
    if (tokens.size() < 4 || !tokens[0].is_name("def") || !tokens[2].is("(")) {
        return;
    }
    std::vector<std::string_view> parameters;
    const std::size_t end = closing_bracket(tokens, 2);
    for (std::size_t i = 3; i < end; ++i) {
        const bool first = tokens[i - 1].is("(") || tokens[i - 1].is(",");
        if (first && tokens[i].kind == PyToken::Kind::name && tokens[i].text != "self") {
            parameters.push_back(tokens[i].text);
        }
    }
    functions_[tokens[1].text] = {line + 1, std::move(parameters)};
    for (std::size_t i = line + 1; i < lines_.size() && lines_[i].indent > head.indent; ++i) {
        const Range body = Range(tokens_).subspan(lines_[i].begin, lines_[i].end - lines_[i].begin);
        if (body.front().is_name("return") && reads_list(body)) {
            derived_.insert({0, tokens[1].text});
        }
    }
}

// Not by the variable's name alone: `f(KEY)` may be given other names elsewhere.
bool PyScript::holds_list(Range range) const {
    for (std::size_t i = 0; i < range.size(); ++i) {
        const bool read = i >= 2 && (range[i - 1].is("[") || range[i - 2].text.starts_with("get")) && is_key(range[i]);
        if (read || is_derived(range[i])) {
            return true;
        }
    }
    return false;
}

// `f(…)` with something of the list among its arguments: so are the parameters of `f`.
void PyScript::note_call(Range line) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (line[i].kind != PyToken::Kind::name || !line[i + 1].is("(")) {
            continue;
        }
        const auto function = functions_.find(line[i].text);
        if (function == functions_.end() || (i > 0 && line[i - 1].is_name("def"))) {
            continue;
        }
        const std::size_t end = closing_bracket(line, i + 1);
        if (holds_list(line.subspan(i + 2, end - i - 2))) {
            for (const std::string_view name : function->second.parameters) {
                derived_.insert({function->second.scope, name});
            }
        }
    }
}

void PyScript::find_names() {
    // A name may be used above the place where it gets its value. More rounds than that find next to nothing.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
        loops_.clear();
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const Range line = Range(tokens_).subspan(lines_[i].begin, lines_[i].end - lines_[i].begin);
            note_assignment(line);
            note_function(i);
            note_call(line);
        }
    }
}

}  // namespace wheelarch
