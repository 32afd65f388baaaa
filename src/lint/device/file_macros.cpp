#include "lint/device/file_macros.hpp"

#include "lint/device/cuda_lexer.hpp"

namespace wheelarch {
namespace {

// Beyond these, conditions of a file are not known.
constexpr std::size_t kMostEvaluated = std::size_t{1} << 24U;  // tokens
constexpr std::size_t kMostKept = 4'096;                       // conditions of a file

}  // namespace

void FileMacros::define(std::string_view name, const MacroDefinition& definition) {
    if (first_ == nullptr) {
        out_.macros.define(name, definition);
        ++changes_;
    }
}

void FileMacros::include(const MacroTable& header, ArchMask may, ArchMask must) {
    out_.macros.include(header, may, must);
    ++changes_;
}

Truth FileMacros::evaluated(std::string_view text) {
    const auto known = conditions_.find(text);
    if (known != conditions_.end() && known->second.changes == changes_) {
        return known->second.truth;
    }
    Truth truth = not_known();
    if (evaluated_ < kMostEvaluated) {
        truth = evaluate_condition(text, out_.macros);
        evaluated_ += truth.tokens;
    }
    if (known != conditions_.end() || conditions_.size() < kMostKept) {
        conditions_.insert_or_assign(text, Known{truth, changes_});
    }
    return truth;
}

std::optional<Truth> FileMacros::of_first_walk(std::string_view text) const {
    if (first_ == nullptr) {
        return std::nullopt;
    }
    const auto found = first_->truths.find(text.data());
    return found == first_->truths.end() ? not_known() : found->second;
}

Truth FileMacros::noted(std::string_view text, const Truth& truth) {
    if (truth.by_arch || truth.can_be_true != every_pass() || truth.can_be_false != every_pass()) {
        out_.truths.insert_or_assign(text.data(), truth);
    }
    return truth;
}

Truth FileMacros::condition(std::string_view text) {
    const auto first = of_first_walk(text);
    return first ? *first : noted(text, evaluated(text));
}

Truth FileMacros::directive(std::string_view name, std::string_view text) {
    if (name == "if") {
        return condition(text);
    }
    const std::string_view macro = first_word(text);
    const auto first = of_first_walk(macro);
    const Truth truth = first ? *first : noted(macro, evaluate_defined(macro, out_.macros));
    return name == "ifdef" ? truth : negated(truth);
}

std::string_view first_word(std::string_view text) {
    CudaLexer lexer(text, CudaLexer::Mode::fragment);
    const CudaToken token = lexer.next();
    return text.substr(token.offset, token.text.size());
}

}  // namespace wheelarch
