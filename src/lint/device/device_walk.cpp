#include "lint/device/device_walk.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lint/device/feature_names.hpp"
#include "lint/device/made_value.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

constexpr std::size_t kShortestFeature = 8;   // of the names in feature_names.cpp
constexpr std::size_t kMostIncludes = 2'000;  // followed in one file
// Beyond these, conditions of a file are not known.
constexpr std::size_t kMostEvaluated = std::size_t{1} << 24U;   // tokens
constexpr std::size_t kMostKept = 4'096;                        // conditions of a file
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

bool is_feature(std::string_view word, bool has_digit) {
    return word.size() >= kShortestFeature &&
           ((has_digit && is_fp8_name(word)) || !library_needs(word).empty() || word == "CollectiveBuilder");
}

// The words at which code_token() does something while nothing is open. Most of a source is none.
bool starts_something(std::string_view word, bool has_digit) {
    switch (word[0]) {
        case 'i': return word == "if" || is_feature(word, has_digit);
        case 'c': return word == "constexpr" || is_feature(word, has_digit);
        case 's': return word == "static_assert" || is_feature(word, has_digit);
        case 'a':
        case '_': return begins_asm(word) || is_feature(word, has_digit);
        case 'N': return is_target_macro(word) || is_feature(word, has_digit);
        default: return is_feature(word, has_digit);
    }
}

}  // namespace

DeviceWalk::DeviceWalk(const SourceFile& file, const FindMacros& find_macros, ArchMask built_for, PackageRead& package,
                       DeviceRead& out)
    : file_(file),
      find_macros_(&find_macros),
      out_(out),
      package_(package),
      calls_(package.calls),
      built_for_(built_for),
      lexer_(file.text),
      lines_(file.text),
      regions_(out.facts.gates, out.macros) {}

DeviceWalk::DeviceWalk(const SourceFile& file, const DeviceRead& first, ArchMask built_for, PackageRead& package,
                       DeviceRead& out)
    : file_(file),
      first_(&first),
      out_(out),
      package_(package),
      calls_(package.calls),
      built_for_(built_for),
      lexer_(file.text),
      lines_(file.text),
      regions_(out.facts.gates, first.macros) {}

void DeviceWalk::run() {
    if (first_ != nullptr && !first_->has_blocks) {
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
        note_scopes();
    }
    regions_.close_all();
    out_.splits = regions_.splits();
    package_.undeclared += out_.undeclared.count();
    if (package_.undeclared > kMostUndeclared) {
        out_.undeclared.give_up();
    }
    std::sort(out_.facts.gates.begin(), out_.facts.gates.end(), [](const Gate& left, const Gate& right) {
        return std::pair(left.place.line, left.place.column) < std::pair(right.place.line, right.place.column);
    });
}

// In less time: no code within conditions.
void DeviceWalk::run_for_calls() {
    const auto may_call = [&](std::string_view word, bool) { return tells(word); };
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
    return in_asm_ == InAsm::no && condition_ == Condition::none && constant_ == Constant::none &&
           target_macro_ == TargetMacro::none && !regions_.watching();
}

bool DeviceWalk::advance_idly() {
    const auto matters = [&](std::string_view word, bool has_digit) {
        return tells(word) || starts_something(word, has_digit);
    };
    token_ = lexer_.next_word<true>(matters);
    return token_.kind != Kind::end;
}

std::string_view DeviceWalk::between(std::size_t begin, std::size_t end) const {
    return file_.text.substr(begin, end > begin ? end - begin : 0);
}

std::string_view DeviceWalk::kept(std::string_view name) {
    const bool spliced = name.data() != file_.text.data() + token_.offset;
    return spliced ? out_.spliced_names.emplace_back(name) : name;
}

std::string_view DeviceWalk::rest_of_line() {
    const std::size_t begin = token_.offset;
    while (token_.kind != Kind::line_end && advance()) {
    }
    return between(begin, token_.offset);
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
    note_branch(name);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
        open(name, offset);
    } else if (name == "elif" || name == "elifdef" || name == "elifndef") {
        const std::string_view text = rest_of_line();
        const Truth truth = truth_of(name.substr(2), text);
        regions_.next(truth, place_if(truth.by_arch, offset), text, true);
    } else if (name == "else") {
        rest_of_line();
        regions_.next(always(), place_if(false, offset), "#else", true);
    } else if (name == "endif") {
        regions_.close_directive();
        rest_of_line();
    } else if (name == "define" || name == "undef") {
        define(name == "undef", guard);
    } else if (name == "include" || name == "include_next") {
        include();
    } else {
        if (name == "error") {
            regions_.error_directive();
        }
        rest_of_line();
    }
}

SourcePlace DeviceWalk::place_if(bool by_arch, std::size_t offset) {
    return by_arch || regions_.watching() ? lines_.at(offset) : SourcePlace();
}

void DeviceWalk::open(std::string_view name, std::size_t offset) {
    const std::string_view text = rest_of_line();
    const Truth truth = truth_of(name, text);
    regions_.open(truth, place_if(truth.by_arch, offset), text, true);
    const bool unknown = truth.can_be_true == every_pass() && truth.can_be_false == every_pass();
    if (name == "ifndef" && unknown) {
        guard_ = std::string(first_word(text));
    }
}

std::string_view DeviceWalk::first_word(std::string_view text) {
    CudaLexer lexer(text, CudaLexer::Mode::fragment);
    const CudaToken token = lexer.next();
    return text.substr(token.offset, token.text.size());
}

Truth DeviceWalk::evaluated(std::string_view text) {
    const auto known = conditions_.find(text);
    if (known != conditions_.end() && known->second.changes == macro_changes_) {
        return known->second.truth;
    }
    Truth truth = not_known();
    if (evaluated_ < kMostEvaluated) {
        truth = evaluate_condition(text, out_.macros);
        evaluated_ += truth.tokens;
    }
    if (known != conditions_.end() || conditions_.size() < kMostKept) {
        conditions_.insert_or_assign(text, Known{truth, macro_changes_});
    }
    return truth;
}

std::optional<Truth> DeviceWalk::of_first_walk(std::string_view text) const {
    if (first_ == nullptr) {
        return std::nullopt;
    }
    const auto found = first_->truths.find(text.data());
    return found == first_->truths.end() ? not_known() : found->second;
}

Truth DeviceWalk::noted(std::string_view text, const Truth& truth) {
    if (truth.by_arch || truth.can_be_true != every_pass() || truth.can_be_false != every_pass()) {
        out_.truths.insert_or_assign(text.data(), truth);
    }
    return truth;
}

Truth DeviceWalk::condition(std::string_view text) {
    const auto first = of_first_walk(text);
    return first ? *first : noted(text, evaluated(text));
}

Truth DeviceWalk::condition_of_name(std::string_view name) {
    const auto first = of_first_walk(name);
    return first ? *first : noted(name, evaluate_defined(name, out_.macros));
}

Truth DeviceWalk::truth_of(std::string_view name, std::string_view text) {
    if (name == "if") {
        return condition(text);
    }
    const Truth truth = condition_of_name(first_word(text));
    return name == "ifdef" ? truth : negated(truth);
}

void DeviceWalk::define(bool removes, const std::string& guard) {
    const std::string_view name = kept(token_.text);
    const std::size_t name_end = token_.offset + token_.text.size();
    if (!guard.empty() && guard == name) {
        regions_.sure();
    }
    MacroDefinition definition;
    definition.removes = removes;
    definition.may = regions_.may();
    definition.must = regions_.must();
    if (token_.kind != Kind::line_end) {
        advance();
    }
    if (token_.is("(") && token_.offset == name_end) {
        definition.function_like = true;
        while (token_.kind != Kind::line_end && !token_.is(")") && advance()) {
        }
        definition.parameters = between(name_end + 1, token_.offset);
        if (token_.is(")")) {
            advance();
        }
    }
    const std::size_t begin = token_.offset;
    in_macro_ = true;
    while (token_.kind != Kind::line_end && token_.kind != Kind::end) {
        if (wants_facts()) {
            macro_token();
        }
        if (token_.kind == Kind::word && tells(token_.text)) {
            calls_.mention(name, token_.text, regions_.may() & built_for_);
        }
        advance();
    }
    end_asm();
    note_macro(name);
    in_macro_ = false;
    definition.body = between(begin, token_.offset);
    if (first_ == nullptr) {
        calls_.declare(name);
        out_.macros.define(name, definition);
        ++macro_changes_;
    }
}

void DeviceWalk::macro_token() {
    if (in_asm_ != InAsm::no || token_.kind == Kind::word) {
        asm_token();
    }
    if (token_.kind == Kind::word) {
        feature_word();
    }
}

void DeviceWalk::include() {
    // What is not compiled is another maker's: its headers may define the macros of ours.
    const bool reads = find_macros_ != nullptr && token_.kind == Kind::string && regions_.may() != kNoPass;
    if (reads && ++includes_ <= kMostIncludes) {
        include_header(token_.text.substr(1, token_.text.size() - 2));
    }
    // What a header does in the middle of a function is code.
    if (regions_.watching() && scopes_.in_function()) {
        regions_.code();
    }
    rest_of_line();
}

void DeviceWalk::include_header(std::string_view path) {
    const MacroTable* macros = (*find_macros_)(joined(folder_of(file_.path), path), file_.path);
    if (macros == nullptr) {
        macros = (*find_macros_)(joined("", path), file_.path);
    }
    if (macros != nullptr) {
        out_.macros.include(*macros, regions_.may(), regions_.must());
        ++macro_changes_;
    }
}

void DeviceWalk::code_token() {
    if (wants_facts()) {
        fact_token();
    }
    if (target_macro_ != TargetMacro::none || token_.text.starts_with("NV_")) {
        target_token();
    }
    block_token();
    scope_token();
}

void DeviceWalk::fact_token() {
    if (token_.kind == Kind::word) {
        if (regions_.watching() && scopes_.in_function()) {
            regions_.word(token_.text);
        }
        feature_word();
    } else if (token_.kind == Kind::punct && regions_.watching()) {
        regions_.punct(token_.text);
    }
    if (in_asm_ != InAsm::no || token_.kind == Kind::word) {
        asm_token();
    }
}

// The CollectiveBuilder of CUTLASS 3 for a GEMM (not that for its epilogue) is about the arch that follows.
std::string DeviceWalk::feature_text() const {
    constexpr std::size_t kFar = 100;
    const std::string_view space = "epilogue::collective::";
    if (!token_.is("CollectiveBuilder")) {
        return std::string(token_.text);
    }
    const std::string_view behind = file_.text.substr(token_.offset + token_.text.size()).substr(0, kFar);
    const std::size_t at = behind.find("arch::Sm");
    if (at == std::string_view::npos || file_.text.substr(0, token_.offset).ends_with(space)) {
        return {};
    }
    const std::size_t begin = behind.find("Sm", at);
    const std::size_t end = behind.find_first_not_of("0123456789", begin + 2);
    return fmt::format("CollectiveBuilder<{}>",
                       behind.substr(begin, end == std::string_view::npos ? end : end - begin));
}

void DeviceWalk::feature_word() {
    if (is_feature(token_.text, token_.has_digit) && out_.facts.words.size() < kMostFacts) {
        out_.facts.words.push_back({lines_.at(token_.offset), feature_text(), devices(regions_.may())});
        out_.facts.words.back().made = makes_value(file_.text, token_.offset, token_.offset + token_.text.size());
    }
}

}  // namespace wheelarch
