#include "lint/device_facts.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "lint/call_graph.hpp"
#include "lint/conditions.hpp"
#include "lint/cuda_lexer.hpp"
#include "lint/feature_names.hpp"
#include "lint/regions.hpp"
#include "lint/scopes.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

constexpr std::size_t kShortestFeature = 8;      // of the names in feature_names.cpp
constexpr std::size_t kMostFacts = 20'000;       // of each kind, in one file
constexpr std::size_t kLongestPtx = 64U << 10U;  // of one asm statement
constexpr std::size_t kDeepestIncludes = 64;
constexpr std::size_t kMostIncludes = 2'000;  // followed in one file
// Beyond these, conditions of a file are not known, and headers of a package define nothing for others.
constexpr std::size_t kMostEvaluated = std::size_t{1} << 24U;  // tokens
constexpr std::size_t kMostPassedOn = std::size_t{1} << 23U;   // macros
constexpr std::size_t kMostKept = 4'096;                       // conditions of a file

// Lines and columns; each is found from the one before.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text), end_(text.find('\n')) {}

    SourcePlace at(std::size_t offset) {
        for (; offset < start_; --line_) {
            end_ = start_ - 1;
            start_ = end_ == 0 ? 0 : text_.rfind('\n', end_ - 1) + 1;  // npos + 1 is 0
        }
        for (; offset > end_; ++line_) {
            start_ = end_ + 1;
            end_ = text_.find('\n', start_);
        }
        return {line_, static_cast<unsigned>(offset - start_) + 1};
    }

private:
    std::string_view text_;
    std::size_t start_ = 0;
    std::size_t end_;  // its line break; npos for the last
    unsigned line_ = 1;
};

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

Truth always() {
    return {every_pass(), kNoPass, false, 0};
}

bool is_asm(std::string_view word) {
    return word == "asm" || word == "__asm__" || word == "__asm";
}

bool is_feature(std::string_view word) {
    return word.size() >= kShortestFeature && (is_fp8_name(word) || !library_needs(word).empty());
}

// The words at which code_token() does something while nothing is open. Most of a source is none.
bool starts_something(std::string_view word) {
    switch (word[0]) {
        case 'i': return word == "if" || is_feature(word);
        case 'c': return word == "constexpr" || is_feature(word);
        case 's': return word == "static_assert" || is_feature(word);
        case 'a':
        case '_': return is_asm(word) || is_feature(word);
        default: return is_feature(word);
    }
}

struct Read {
    DeviceFacts facts;
    MacroTable macros;
    std::deque<std::string> spliced_names;  // of macros
};

// Gives the macros of a header that `by` includes; null if it is not the package's or is being read.
using Include = std::function<const MacroTable*(const std::string& path, const std::string& by)>;

class Walk {
public:
    // With `calls`, tells it what is called where, and notes the scope of each fact.
    Walk(const SourceFile& file, const Include& include, Read& out, CallGraph* calls = nullptr,
         ArchMask built_for = every_pass())
        : file_(file),
          include_(include),
          out_(out),
          calls_(calls),
          built_for_(built_for),
          lexer_(file.text),
          lines_(file.text),
          regions_(out.facts.gates) {}

    void run() {
        while (is_idle() ? advance_idly() : advance()) {
            if (token_.kind == Kind::directive) {
                directive();
            } else {
                code_token();
            }
            if (calls_ != nullptr) {
                note_scopes();
            }
        }
        regions_.close_all();
        std::sort(out_.facts.gates.begin(), out_.facts.gates.end(), [](const Gate& left, const Gate& right) {
            return std::pair(left.place.line, left.place.column) < std::pair(right.place.line, right.place.column);
        });
    }

private:
    bool advance() {
        token_ = lexer_.next();
        return token_.kind != Kind::end;
    }

    // Nothing is open that would ask for more than words.
    bool is_idle() const {
        return calls_ == nullptr && in_asm_ == InAsm::no && condition_ == Condition::none &&
               constant_ == Constant::none && !regions_.watching();
    }

    bool advance_idly() {
        token_ = lexer_.next_word(starts_something);
        return token_.kind != Kind::end;
    }

    std::string_view between(std::size_t begin, std::size_t end) const {
        return file_.text.substr(begin, end > begin ? end - begin : 0);
    }

    // The name of a macro for as long as `out_` lives.
    std::string_view kept(std::string_view name) {
        const std::string_view written = between(token_.offset, token_.offset + name.size());
        return written == name ? written : out_.spliced_names.emplace_back(name);
    }

    // The rest of the directive, as written.
    std::string_view rest_of_line() {
        const std::size_t begin = token_.offset;
        while (token_.kind != Kind::line_end && advance()) {
        }
        return between(begin, token_.offset);
    }

    void directive() {
        const std::size_t offset = token_.offset;
        if (!advance() || token_.kind == Kind::line_end) {
            return;
        }
        const std::string name(token_.text.substr(0, 16));
        advance();
        const std::string guard = std::exchange(guard_, {});
        if (calls_ != nullptr) {
            note_branch(name);
        }
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

    // Most conditions ask for no arch, and nobody asks where they are.
    SourcePlace place_if(bool by_arch, std::size_t offset) {
        return by_arch || regions_.watching() ? lines_.at(offset) : SourcePlace();
    }

    void open(const std::string& name, std::size_t offset) {
        const std::string_view text = rest_of_line();
        const Truth truth = truth_of(name, text);
        regions_.open(truth, place_if(truth.by_arch, offset), text, true);
        const bool unknown = truth.can_be_true == every_pass() && truth.can_be_false == every_pass();
        if (name == "ifndef" && unknown) {
            guard_ = std::string(first_word(text));
        }
    }

    static std::string_view first_word(std::string_view text) {
        CudaLexer lexer(text, CudaLexer::Mode::fragment);
        const CudaToken token = lexer.next();
        return text.substr(token.offset, token.text.size());
    }

    // Many are written again and again.
    Truth evaluated(std::string_view text) {
        const auto known = conditions_.find(text);
        if (known != conditions_.end() && known->second.changes == macro_changes_) {
            return known->second.truth;
        }
        Truth truth{every_pass(), every_pass(), false, 0};
        if (evaluated_ < kMostEvaluated) {
            truth = evaluate_condition(text, out_.macros);
            evaluated_ += truth.tokens;
        }
        if (known != conditions_.end() || conditions_.size() < kMostKept) {
            conditions_.insert_or_assign(text, Known{truth, macro_changes_});
        }
        return truth;
    }

    Truth truth_of(const std::string& name, std::string_view text) {
        if (name == "if") {
            return evaluated(text);
        }
        const Truth truth = evaluate_defined(first_word(text), out_.macros);
        return name == "ifdef" ? truth : negated(truth);
    }

    void define(bool removes, const std::string& guard) {
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
            macro_token();
            if (calls_ != nullptr && token_.kind == Kind::word) {
                calls_->mention(name, token_.text, regions_.may() & built_for_);
            }
            advance();
        }
        end_asm();
        if (calls_ != nullptr) {
            note_macro(name);
        }
        in_macro_ = false;
        definition.body = between(begin, token_.offset);
        out_.macros.define(name, definition);
        ++macro_changes_;
    }

    void macro_token() {
        if (in_asm_ != InAsm::no || token_.kind == Kind::word) {
            asm_token();
        }
        if (token_.kind == Kind::word) {
            feature_word();
        }
    }

    void include() {
        // What is not compiled is another maker's: its headers may define the macros of ours.
        const bool reads = token_.kind == Kind::string && regions_.may() != kNoPass;
        if (reads && ++includes_ <= kMostIncludes) {
            const std::string_view body = token_.text.substr(1, token_.text.size() - 2);
            const MacroTable* macros = include_(joined(folder_of(file_.path), body), file_.path);
            if (macros == nullptr) {
                macros = include_(joined("", body), file_.path);
            }
            if (macros != nullptr) {
                out_.macros.add(*macros, regions_.may(), regions_.must());
                ++macro_changes_;
            }
        }
        rest_of_line();
    }

    void code_token() {
        if (token_.kind == Kind::word) {
            if (regions_.watching()) {
                regions_.word(token_.text);
            }
            feature_word();
        } else if (token_.kind == Kind::punct) {
            if (regions_.watching()) {
                regions_.punct(token_.text);
            }
        }
        if (in_asm_ != InAsm::no || token_.kind == Kind::word) {
            asm_token();
        }
        block_token();
        if (calls_ != nullptr) {
            scope_token();
        }
    }

    // Who calls what.
    void scope_token() {
        const Scopes::Declaration declaration = scopes_.take(token_);
        const ArchMask passes = regions_.may() & built_for_;
        if (declaration == Scopes::Declaration::none) {
            if (token_.kind == Kind::word && scopes_.in_function()) {
                calls_->mention(scopes_.scope(), token_.text, passes);
            }
            return;
        }
        for (const std::string& word : scopes_.words()) {
            switch (declaration) {
                case Scopes::Declaration::instantiation:
                case Scopes::Declaration::value: use_at_scope(word, passes); break;
                case Scopes::Declaration::alias: calls_->mention(scopes_.alias(), word, passes); break;
                case Scopes::Declaration::function:
                case Scopes::Declaration::type:
                    if (word != scopes_.scope().name && word != scopes_.scope().owner) {
                        calls_->mention(scopes_.scope(), word, passes);
                    }
                    break;
                case Scopes::Declaration::other: calls_->mention(scopes_.scope(), word, passes); break;
                case Scopes::Declaration::none: break;
            }
        }
    }

    void use_at_scope(const std::string& word, ArchMask passes) {
        if (scopes_.scope().owner.empty()) {
            calls_->use(word, passes);
        } else {
            calls_->mention(scopes_.scope(), word, passes);
        }
    }

    void note_branch(const std::string& name) {
        if (name == "if" || name == "ifdef" || name == "ifndef") {
            scopes_.open_branch();
        } else if (name.starts_with("el")) {
            scopes_.next_branch();
        } else if (name == "endif") {
            scopes_.close_branch();
        }
    }

    void note_scopes() {
        for (; noted_ptx_ < out_.facts.ptx.size(); ++noted_ptx_) {
            out_.facts.ptx[noted_ptx_].scope = scopes_.scope();
            out_.facts.ptx[noted_ptx_].certain = !scopes_.in_static_branch();
        }
        for (; noted_words_ < out_.facts.words.size(); ++noted_words_) {
            out_.facts.words[noted_words_].scope = scopes_.scope();
        }
        for (; noted_gates_ < out_.facts.gates.size(); ++noted_gates_) {
            out_.facts.gates[noted_gates_].scope = scopes_.scope();
        }
    }

    void note_macro(std::string_view macro) {
        const std::string name(macro);
        for (; noted_ptx_ < out_.facts.ptx.size(); ++noted_ptx_) {
            out_.facts.ptx[noted_ptx_].scope = {CodeScope::Kind::device, name, ""};
        }
        for (; noted_words_ < out_.facts.words.size(); ++noted_words_) {
            out_.facts.words[noted_words_].scope = {CodeScope::Kind::device, name, ""};
        }
    }

    void feature_word() {
        if (is_feature(token_.text) && out_.facts.words.size() < kMostFacts) {
            out_.facts.words.push_back(
                {lines_.at(token_.offset), std::string(token_.text), devices(regions_.may()), {}, false});
            const std::size_t next = file_.text.find_first_not_of(" \t", token_.offset + token_.text.size());
            out_.facts.words.back().made =
                next != std::string_view::npos && (file_.text[next] == '(' || file_.text[next] == '{');
        }
    }

    void asm_token() {
        switch (in_asm_) {
            case InAsm::no:
                if ((token_.text[0] == 'a' || token_.text[0] == '_') && is_asm(token_.text)) {
                    in_asm_ = InAsm::head;
                    asm_place_ = token_.offset;
                }
                break;
            case InAsm::head:
                if (token_.is("(")) {
                    in_asm_ = InAsm::text;
                    ptx_.clear();
                } else if (token_.kind != Kind::word) {
                    in_asm_ = InAsm::no;
                }
                break;
            case InAsm::text:
                if (token_.kind == Kind::string) {
                    ptx_ += string_body(token_.text).substr(0, kLongestPtx - std::min(kLongestPtx, ptx_.size()));
                } else if (token_.kind == Kind::word || token_.kind == Kind::number) {
                    ptx_ += '?';
                } else if (token_.is(":") || token_.is("::") || token_.is(")") || token_.is(";")) {
                    end_asm();
                }
                break;
        }
    }

    void end_asm() {
        if (in_asm_ == InAsm::text) {
            if (in_macro_) {
                regions_.code();
            } else {
                regions_.ptx(ptx_);
            }
            if (out_.facts.ptx.size() < kMostFacts && !ptx_.empty()) {
                out_.facts.ptx.push_back({lines_.at(asm_place_), ptx_, devices(regions_.may()), in_macro_, {}, true});
            }
        }
        in_asm_ = InAsm::no;
    }

    // `if (…)`, `if constexpr (…)`, static_assert and constants, of which only those that ask for the arch matter.
    void block_token() {
        if (token_.kind == Kind::word) {
            block_word();
        } else if (token_.kind == Kind::punct) {
            block_punct();
        } else if (condition_ == Condition::body) {
            condition_ = Condition::statement;
        }
    }

    void block_punct() {
        switch (token_.text[0]) {
            case '(': open_paren(); break;
            case ')':
                if (condition_ == Condition::text && parens_ == 1) {
                    end_condition();
                }
                parens_ -= parens_ > 0 ? 1 : 0;
                return;
            case '{': open_brace(); return;
            case '}': close_brace(); return;
            case ';': end_statement(); return;
            case '=':
                if (constant_ == Constant::name && token_.text.size() == 1) {
                    constant_ = Constant::value;
                    condition_begin_ = token_.offset + 1;
                    asks_ = false;
                }
                break;
            default: break;
        }
        if (condition_ == Condition::body) {
            condition_ = Condition::statement;
        }
    }

    void open_paren() {
        ++parens_;
        if (condition_ == Condition::head) {
            condition_ = Condition::text;
            condition_begin_ = token_.offset + 1;
        }
    }

    void block_word() {
        const char first = token_.text[0];
        if (condition_ == Condition::none && constant_ == Constant::none && first != 'i' && first != 's' &&
            first != 'c') {
            return;
        }
        if (condition_ == Condition::after_block) {
            if (token_.is("else")) {
                regions_.next(always(), lines_.at(token_.offset), "else", false);
                condition_ = Condition::body;
                return;
            }
            regions_.close_block();
            condition_ = Condition::none;
        }
        if (condition_ == Condition::body) {
            condition_ = Condition::statement;
        }
        if (token_.is("if") || token_.is("static_assert")) {
            if (condition_ == Condition::none) {
                condition_ = Condition::head;
                is_assert_ = token_.is("static_assert");
                asks_ = false;
                condition_place_ = token_.offset;
                parens_ = 0;
            }
        } else if (token_.is("constexpr") && condition_ == Condition::none) {
            constant_ = Constant::name;
        } else if (constant_ == Constant::name) {
            constant_name_ = kept(token_.text);
        } else if (condition_ == Condition::text || constant_ == Constant::value) {
            asks_ = asks_ || passes_defining(token_.text) || out_.macros.find(token_.text) != nullptr ||
                    token_.text.starts_with("CU");
        } else if (condition_ == Condition::head && !token_.is("constexpr")) {
            condition_ = Condition::none;
        }
    }

    void end_condition() {
        condition_ = Condition::none;
        if (!asks_) {
            return;
        }
        std::string_view text = between(condition_begin_, token_.offset);
        if (is_assert_) {
            text = text.substr(0, text.rfind(','));
        }
        const Truth truth = evaluated(text);
        if (!truth.by_arch) {
            return;
        }
        const SourcePlace place = lines_.at(condition_place_);
        if (is_assert_) {
            // As `#if !(…)`, `#error`.
            regions_.open(negated(truth), place, text, false);
            regions_.error_directive();
            regions_.close_block();
            return;
        }
        regions_.open(truth, place, text, false);
        braces_ = 0;
        condition_ = Condition::body;
    }

    void open_brace() {
        constant_ = Constant::none;
        if (condition_ == Condition::body) {
            condition_ = Condition::block;
        } else if (condition_ == Condition::after_block) {
            regions_.close_block();
            condition_ = Condition::none;
        }
        ++braces_;
    }

    void close_brace() {
        braces_ -= braces_ > 0 ? 1 : 0;
        constant_ = Constant::none;
        if (condition_ == Condition::block && braces_ == 0) {
            condition_ = Condition::after_block;
        } else if (condition_ == Condition::after_block || condition_ == Condition::statement) {
            regions_.close_block();
            condition_ = Condition::none;
        }
        parens_ = 0;
    }

    void end_statement() {
        if (condition_ == Condition::statement) {
            condition_ = Condition::after_block;
        } else if (condition_ == Condition::after_block || condition_ == Condition::body) {
            regions_.close_block();
            condition_ = Condition::none;
        }
        if (constant_ == Constant::value && asks_) {
            MacroDefinition definition;
            definition.body = between(condition_begin_, token_.offset);
            definition.may = regions_.may();
            definition.must = regions_.must();
            if (evaluated(definition.body).by_arch) {
                out_.macros.define(constant_name_, definition);
                ++macro_changes_;
            }
        }
        constant_ = Constant::none;
    }

    enum class InAsm { no, head, text };
    // One `if` that asks for the arch is followed at a time; those inside it are part of its body.
    enum class Condition { none, head, text, body, block, statement, after_block };
    enum class Constant { none, name, value };

    const SourceFile& file_;
    const Include& include_;
    Read& out_;
    CallGraph* calls_;
    ArchMask built_for_;
    CudaLexer lexer_;
    Lines lines_;
    Regions regions_;
    CudaToken token_;
    struct Known {
        Truth truth;
        std::size_t changes;  // of macros, before it was evaluated
    };

    std::unordered_map<std::string_view, Known> conditions_;
    std::size_t macro_changes_ = 0;
    std::size_t evaluated_ = 0;  // tokens
    std::string guard_;          // of an #ifndef on the line before
    std::size_t includes_ = 0;
    bool in_macro_ = false;

    Scopes scopes_;
    std::size_t noted_ptx_ = 0;
    std::size_t noted_words_ = 0;
    std::size_t noted_gates_ = 0;

    InAsm in_asm_ = InAsm::no;
    std::size_t asm_place_ = 0;
    std::string ptx_;

    Condition condition_ = Condition::none;
    Constant constant_ = Constant::none;
    bool asks_ = false;
    bool is_assert_ = false;
    std::size_t condition_begin_ = 0;
    std::size_t condition_place_ = 0;
    std::size_t parens_ = 0;  // open since the condition began
    std::size_t braces_ = 0;  // open since it ended
    std::string_view constant_name_;
};

}  // namespace

struct DevicePackage::State {
    Find find;
    std::unordered_map<std::string, std::unique_ptr<Read>> files;  // null while it is read
    std::map<std::string, std::set<std::string>> includers;
    std::size_t depth = 0;
    std::size_t passed_on = 0;
    const Read empty;

    const Read* read(const SourceFile& file) {
        const bool device = file.language == SourceFile::Language::cuda || file.language == SourceFile::Language::cpp;
        if (!device || depth >= kDeepestIncludes) {
            return nullptr;
        }
        const auto [place, is_new] = files.try_emplace(file.path);
        std::unique_ptr<Read>& known = place->second;  // stays there while others come
        if (is_new) {
            auto result = std::make_unique<Read>();
            ++depth;
            Walk(file, include(), *result).run();
            --depth;
            known = std::move(result);
        }
        return known.get();
    }

    Include include() {
        return [this](const std::string& path, const std::string& by) { return macros_of(path, by); };
    }

    const MacroTable* macros_of(const std::string& path, const std::string& by) {
        const SourceFile* file = path.empty() ? nullptr : find(path);
        if (file == nullptr) {
            return nullptr;
        }
        includers[path].insert(by);
        const Read* result = read(*file);
        passed_on += result == nullptr ? 0 : result->macros.size();
        return result == nullptr || passed_on > kMostPassedOn ? nullptr : &result->macros;
    }
};

DevicePackage::DevicePackage(Find find) : state_(std::make_unique<State>()) {
    state_->find = std::move(find);
}

DevicePackage::~DevicePackage() = default;

const std::set<std::string>& DevicePackage::includers(const std::string& path) const {
    static const std::set<std::string> none;
    const auto found = state_->includers.find(path);
    return found == state_->includers.end() ? none : found->second;
}

void DevicePackage::narrow(const std::vector<SourceFile>& files,
                           const std::function<ArchMask(const SourceFile&)>& built_for) {
    CallGraph calls;
    std::vector<std::pair<DeviceFacts*, ArchMask>> all;
    for (const SourceFile& file : files) {
        if (state_->read(file) == nullptr) {
            continue;
        }
        Read again;
        const ArchMask passes = built_for(file);
        Walk(file, state_->include(), again, &calls, passes).run();
        DeviceFacts& facts = state_->files[file.path]->facts;
        facts = std::move(again.facts);
        all.emplace_back(&facts, passes);
    }
    calls.resolve();
    for (const auto& [facts, passes] : all) {
        for (InlinePtx& ptx : facts->ptx) {
            ptx.archs &= calls.of(ptx.scope) & passes;
        }
        for (FeatureWord& word : facts->words) {
            word.archs &= calls.of(word.scope) & passes;
        }
        for (Gate& gate : facts->gates) {
            gate.outer &= calls.of(gate.scope) & passes;
            gate.inner &= gate.outer;
        }
        std::erase_if(facts->gates, [](const Gate& gate) { return gate.inner == kNoPass || gate.inner == gate.outer; });
    }
}

const DeviceFacts& DevicePackage::facts(const SourceFile& file) {
    const Read* result = state_->read(file);
    return result == nullptr ? state_->empty.facts : result->facts;
}

}  // namespace wheelarch
