#include "lint/device/device_walk.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "lint/device/feature_words.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

constexpr std::size_t kMostIncludes = 2'000;                    // followed in one file
constexpr std::size_t kMostUndeclared = std::size_t{1} << 25U;  // words that files of a package keep

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

// `folder/relative` without `.` and `..`; empty if it leads out.
std::string joined(const std::string& folder, std::string_view relative) {
    std::string whole = folder.empty() ? std::string() : folder + "/";
    whole += relative;
    const bool plain = whole.find("./") == std::string::npos && whole.find("//") == std::string::npos;
    if (plain && !whole.starts_with('/') && !whole.ends_with('.')) {
        return whole;
    }
    std::vector<std::string_view> parts;
    std::string_view rest = whole;
    while (!rest.empty()) {
        const std::size_t slash = std::min(rest.find('/'), rest.size());
        const std::string_view part = rest.substr(0, slash);
        rest.remove_prefix(std::min(slash + 1, rest.size()));
        if (part == ".." && parts.empty()) {
            return {};
        }
        if (part == "..") {
            parts.pop_back();
        } else if (!part.empty() && part != ".") {
            parts.push_back(part);
        }
    }
    std::string path;
    for (const std::string_view part : parts) {
        path += (path.empty() ? "" : "/") + std::string(part);
    }
    return path;
}

// The words at which code_token() does something while nothing is open. Most of a source is none.
bool starts_something(std::string_view word, bool has_digit) {
    switch (word[0]) {
        case 'i': return word == "if" || is_feature(word, has_digit);
        case 'c': return word == "constexpr" || is_feature(word, has_digit);
        case 's': return word == "static_assert" || is_feature(word, has_digit);
        case 'a':
        case '_': return begins_asm(word) || is_feature(word, has_digit);
        case 'N': return TargetMacros::begins(word) || is_feature(word, has_digit);
        default: return is_feature(word, has_digit);
    }
}

}  // namespace

DeviceWalk::DeviceWalk(const SourceFile& file, const FindMacros& find_macros, ArchMask built_for, PackageRead& package,
                       DeviceRead& out)
    : path_(file.path),
      find_macros_(&find_macros),
      for_calls_(false),
      file_(file.text, nullptr, built_for, package, out),
      lexer_(file.text) {}

DeviceWalk::DeviceWalk(const SourceFile& file, const DeviceRead& first, ArchMask built_for, PackageRead& package,
                       DeviceRead& out)
    : path_(file.path),
      find_macros_(nullptr),
      for_calls_(!first.has_blocks),
      file_(file.text, &first, built_for, package, out),
      lexer_(file.text) {}

void DeviceWalk::run() {
    if (for_calls_) {
        run_for_calls();
        return;
    }
    while (is_quiet() && scopes_.in_plain_code() ? advance_idly() : advance()) {
        if (token_.kind == Kind::directive) {
            directive();
        } else if (is_quiet() && (token_.kind != Kind::word || !starts_something(token_.text, token_.has_digit))) {
            scope_token();
        } else {
            code_token();
        }
        fact_scopes_.note();
    }
    file_.regions.close_all();
    file_.out.splits = file_.regions.splits();
    file_.package.undeclared += file_.out.undeclared.count();
    if (file_.package.undeclared > kMostUndeclared) {
        file_.out.undeclared.give_up();
    }
    std::sort(file_.out.facts.gates.begin(), file_.out.facts.gates.end(), [](const Gate& left, const Gate& right) {
        return std::pair(left.place.line, left.place.column) < std::pair(right.place.line, right.place.column);
    });
}

// In less time: no code within conditions.
void DeviceWalk::run_for_calls() {
    const auto may_call = [&](std::string_view word, bool) { return calls_.tells(word); };
    for (;;) {
        token_ = scopes_.in_function() ? lexer_.next_word<true>(may_call) : lexer_.next();
        if (token_.kind == Kind::end) {
            return;
        }
        if (token_.kind == Kind::directive) {
            directive();
        } else {
            scope_token();
        }
    }
}

bool DeviceWalk::advance() {
    token_ = lexer_.next();
    return token_.kind != Kind::end;
}

bool DeviceWalk::is_quiet() const {
    return ptx_.is_idle() && conditions_.is_idle() && constants_.is_idle() && target_macros_.is_idle() &&
           !file_.regions.watching();
}

bool DeviceWalk::advance_idly() {
    const auto matters = [&](std::string_view word, bool has_digit) {
        return calls_.tells(word) || starts_something(word, has_digit);
    };
    token_ = lexer_.next_word<true>(matters);
    return token_.kind != Kind::end;
}

std::string_view DeviceWalk::rest_of_line() {
    const std::size_t begin = token_.offset;
    while (token_.kind != Kind::line_end && advance()) {
    }
    return file_.between(begin, token_.offset);
}

void DeviceWalk::directive() {
    const std::size_t offset = token_.offset;
    if (!advance() || token_.kind == Kind::line_end) {
        return;
    }
    const std::string kept_name(token_.text.substr(0, 16));
    const std::string_view name = kept_name;
    advance();
    const std::string guard = std::exchange(guard_, {});
    scopes_.directive(name);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
        open(name, offset);
    } else if (name == "elif" || name == "elifdef" || name == "elifndef") {
        const std::string_view text = rest_of_line();
        const Truth truth = file_.macros.directive(name.substr(2), text);
        file_.regions.next(truth, place_if(truth.by_arch, offset), text, true);
    } else if (name == "else") {
        rest_of_line();
        file_.regions.next(always(), place_if(false, offset), "#else", true);
    } else if (name == "endif") {
        file_.regions.close_directive();
        rest_of_line();
    } else if (name == "define" || name == "undef") {
        define(name == "undef", guard);
    } else if (name == "include" || name == "include_next") {
        include();
    } else {
        if (name == "error") {
            file_.regions.error_directive();
        }
        rest_of_line();
    }
}

SourcePlace DeviceWalk::place_if(bool by_arch, std::size_t offset) {
    return by_arch || file_.regions.watching() ? file_.lines.at(offset) : SourcePlace();
}

void DeviceWalk::open(std::string_view name, std::size_t offset) {
    const std::string_view text = rest_of_line();
    const Truth truth = file_.macros.directive(name, text);
    file_.regions.open(truth, place_if(truth.by_arch, offset), text, true);
    const bool unknown = truth.can_be_true == every_pass() && truth.can_be_false == every_pass();
    if (name == "ifndef" && unknown) {
        guard_ = std::string(first_word(text));
    }
}

void DeviceWalk::define(bool removes, const std::string& guard) {
    const std::string_view name = file_.kept(token_);
    const std::size_t name_end = token_.offset + token_.text.size();
    if (!guard.empty() && guard == name) {
        file_.regions.sure();
    }
    MacroDefinition definition;
    definition.removes = removes;
    definition.may = file_.regions.may();
    definition.must = file_.regions.must();
    if (token_.kind != Kind::line_end) {
        advance();
    }
    parameters(definition, name_end);
    const std::size_t begin = token_.offset;
    for (; token_.kind != Kind::line_end && token_.kind != Kind::end; advance()) {
        if (file_.wants_facts) {
            ptx_.take(token_, true);
        }
        if (token_.kind == Kind::word) {
            if (file_.wants_facts) {
                collect_feature(file_, token_);
            }
            calls_.tell_in_macro(name, token_.text);
        }
    }
    ptx_.end(true);
    fact_scopes_.note_macro(name);
    definition.body = file_.between(begin, token_.offset);
    if (file_.wants_facts) {
        file_.package.calls.declare(name);
        file_.macros.define(name, definition);
    }
}

void DeviceWalk::parameters(MacroDefinition& definition, std::size_t name_end) {
    if (!token_.is("(") || token_.offset != name_end) {
        return;
    }
    definition.function_like = true;
    while (token_.kind != Kind::line_end && !token_.is(")") && advance()) {
    }
    definition.parameters = file_.between(name_end + 1, token_.offset);
    if (token_.is(")")) {
        advance();
    }
}

void DeviceWalk::include() {
    // What is not compiled is another maker's: its headers may define the macros of ours.
    const bool reads = find_macros_ != nullptr && token_.kind == Kind::string && file_.regions.may() != kNoPass;
    if (reads && ++includes_ <= kMostIncludes) {
        include_header(token_.text.substr(1, token_.text.size() - 2));
    }
    // What a header does in the middle of a function is code.
    if (file_.regions.watching() && scopes_.in_function()) {
        file_.regions.code().code();
    }
    rest_of_line();
}

void DeviceWalk::include_header(std::string_view path) {
    const MacroTable* macros = (*find_macros_)(joined(folder_of(path_), path), path_);
    if (macros == nullptr) {
        macros = (*find_macros_)(joined("", path), path_);
    }
    if (macros != nullptr) {
        file_.macros.include(*macros, file_.regions.may(), file_.regions.must());
    }
}

void DeviceWalk::code_token() {
    if (file_.wants_facts) {
        fact_token();
    }
    if (!target_macros_.is_idle() || token_.text.starts_with("NV_")) {
        target_macros_.take(token_);
    }
    conditions_.take(token_);
    constants_.take(token_, conditions_.is_idle());
    scope_token();
}

void DeviceWalk::fact_token() {
    if (token_.kind == Kind::word) {
        if (file_.regions.watching() && scopes_.in_function()) {
            file_.regions.word(token_.text);
        }
        collect_feature(file_, token_);
    } else if (token_.kind == Kind::punct && file_.regions.watching()) {
        file_.regions.code().punct(token_.text);
    }
    ptx_.take(token_, false);
}

void DeviceWalk::scope_token() {
    if (token_.kind == Kind::word && !scopes_.in_function()) {
        token_.text = file_.kept(token_);
    }
    const bool was_in_function = scopes_.in_function();
    const bool declares = scopes_.in_declaration();
    const Scopes::Declaration declaration = scopes_.take(token_);
    if (file_.wants_facts && file_.regions.watching()) {
        watch_declaration(declaration, declares, was_in_function);
    }
    calls_.tell(token_, declaration);
}

// A function is as much as its body does, a class as much as its members.
void DeviceWalk::watch_declaration(Scopes::Declaration declaration, bool declares, bool was_in_function) {
    using Declaration = Scopes::Declaration;
    StubCode& code = file_.regions.code();
    if (declaration == Declaration::none) {
        if (was_in_function && !scopes_.in_function()) {
            code.end_function();
        }
        return;
    }
    if (declaration == Declaration::instantiation ||
        (declaration == Declaration::function && scopes_.scope().kind != CodeScope::Kind::device)) {
        code.substance();
    }
    if (declaration == Declaration::instantiation || declaration == Declaration::alias) {
        code.code();
    } else if (declares && (declaration == Declaration::value || declaration == Declaration::other)) {
        watch_statement(scopes_.words().front());
    }
    if (declares) {
        code.definition();
    }
}

// What has no body, or is a statement in a file that others include in a function.
void DeviceWalk::watch_statement(std::string_view first) {
    StubCode& code = file_.regions.code();
    if (!token_.is(";")) {
        if (first == "enum") {
            code.code();
        }
        return;
    }
    if (scopes_.is_call() || scopes_.in_initialiser() || begins_asm(first)) {
        code.substance();
    }
    if (first == "const" || first == "void") {
        code.code();
    } else {
        file_.regions.word(first);
        code.punct(";");
    }
}

}  // namespace wheelarch
