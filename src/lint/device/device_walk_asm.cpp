// DeviceWalk: inline PTX.
#include <algorithm>
#include <vector>

#include "lint/device/device_walk.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

constexpr std::size_t kLongestPtx = 64U << 10U;  // of one asm statement
constexpr std::size_t kMostMacros = 64;          // of one asm statement
constexpr std::size_t kLongestMacro = 4'096;     // bytes

}  // namespace

void DeviceWalk::asm_token() {
    switch (in_asm_) {
        case InAsm::no:
            if ((token_.text[0] == 'a' || token_.text[0] == '_') && begins_asm(token_.text)) {
                in_asm_ = InAsm::head;
                asm_place_ = token_.offset;
            }
            break;
        case InAsm::head:
            if (token_.is("(")) {
                in_asm_ = InAsm::text;
                ptx_.clear();
                ptx_macros_ = 0;
            } else if (token_.kind != Kind::word) {
                in_asm_ = InAsm::no;
            }
            break;
        case InAsm::text:
            if (token_.kind == Kind::string) {
                add_ptx(string_body(token_.text));
            } else if (token_.kind == Kind::word) {
                add_ptx_of_macro(token_.text);
            } else if (token_.kind == Kind::number) {
                ptx_ += '?';
            } else if (token_.is(":") || token_.is("::") || token_.is(")") || token_.is(";")) {
                end_asm();
            }
            break;
    }
}

void DeviceWalk::end_asm() {
    if (in_asm_ == InAsm::text) {
        if (in_macro_) {
            regions_.code();
        } else {
            regions_.ptx(ptx_);
        }
        const ArchMask passes = devices(regions_.may());
        if (out_.facts.ptx.size() < kMostFacts && !ptx_.empty()) {
            out_.facts.ptx.push_back({lines_.at(asm_place_), &package_.ptx.keep(ptx_), passes, in_macro_});
        }
    }
    in_asm_ = InAsm::no;
}

void DeviceWalk::add_ptx(std::string_view text) {
    ptx_ += text.substr(0, kLongestPtx - std::min(kLongestPtx, ptx_.size()));
}

// String literals that a macro stands for; a blank for anything else.
void DeviceWalk::add_ptx_of_macro(std::string_view name) {
    const std::vector<MacroDefinition>* definitions = macros().find(name);
    const MacroDefinition* standing = nullptr;
    if (definitions != nullptr && ++ptx_macros_ <= kMostMacros) {
        const auto found = std::find_if(definitions->rbegin(), definitions->rend(), [&](const auto& definition) {
            return (definition.may & regions_.may()) != kNoPass;
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
            add_ptx(string_body(token.text));
        } else if (token.kind == Kind::word && token.text != name) {
            add_ptx_of_macro(token.text);
        } else {
            ptx_ += '?';
        }
    }
}

}  // namespace wheelarch
