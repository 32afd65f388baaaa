#include "lint/device/inline_ptx.hpp"

#include <algorithm>
#include <vector>

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

constexpr std::size_t kLongestPtx = 64U << 10U;  // of one asm statement
constexpr std::size_t kMostMacros = 64;          // of one asm statement
constexpr std::size_t kLongestMacro = 4'096;     // bytes

}  // namespace

void InlinePtxCollector::take(const CudaToken& token, bool in_macro) {
    switch (state_) {
        case State::none:
            if (token.kind == Kind::word && (token.text[0] == 'a' || token.text[0] == '_') && begins_asm(token.text)) {
                state_ = State::head;
                place_ = token.offset;
            }
            break;
        case State::head:
            if (token.is("(")) {
                state_ = State::text;
                ptx_.clear();
                macros_ = 0;
            } else if (token.kind != Kind::word) {
                state_ = State::none;
            }
            break;
        case State::text:
            if (token.kind == Kind::string) {
                add(string_body(token.text));
            } else if (token.kind == Kind::word) {
                add_macro(token.text);
            } else if (token.kind == Kind::number) {
                ptx_ += '?';
            } else if (token.is(":") || token.is("::") || token.is(")") || token.is(";")) {
                end(in_macro);
            }
            break;
    }
}

void InlinePtxCollector::end(bool in_macro) {
    if (state_ == State::text) {
        if (in_macro) {
            file_.regions.code().code();
        } else {
            file_.regions.code().ptx(ptx_);
        }
        const ArchMask passes = devices(file_.regions.may());
        if (file_.out.facts.ptx.size() < kMostFacts && !ptx_.empty()) {
            file_.out.facts.ptx.push_back({file_.lines.at(place_), &file_.package.ptx.keep(ptx_), passes, in_macro});
        }
    }
    state_ = State::none;
}

void InlinePtxCollector::add(std::string_view text) {
    ptx_ += text.substr(0, kLongestPtx - std::min(kLongestPtx, ptx_.size()));
}

// String literals that a macro stands for; a blank for anything else.
void InlinePtxCollector::add_macro(std::string_view name) {
    const std::vector<MacroDefinition>* definitions = file_.macros.table().find(name);
    const MacroDefinition* standing = nullptr;
    if (definitions != nullptr && ++macros_ <= kMostMacros) {
        const auto found = std::find_if(definitions->rbegin(), definitions->rend(), [&](const auto& definition) {
            return (definition.may & file_.regions.may()) != kNoPass;
        });
        standing = found == definitions->rend() ? nullptr : &*found;
    }
    if (standing == nullptr || standing->removes || standing->function_like || standing->body.size() > kLongestMacro) {
        ptx_ += '?';
        return;
    }
    CudaLexer lexer(standing->body, CudaLexer::Mode::fragment);
    for (CudaToken token = lexer.next(); token.kind != Kind::end; token = lexer.next()) {
        if (token.kind == Kind::string) {
            add(string_body(token.text));
        } else if (token.kind == Kind::word && token.text != name) {
            add_macro(token.text);
        } else {
            ptx_ += '?';
        }
    }
}

}  // namespace wheelarch
