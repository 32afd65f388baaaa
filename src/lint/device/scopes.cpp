#include "lint/device/scopes.hpp"

#include <utility>

namespace wheelarch {
namespace {

constexpr std::size_t kDeepestFrames = 64;
constexpr std::size_t kDeepestBranches = 256;

}  // namespace

Scopes::Declaration Scopes::take(const CudaToken& token) {
    if (token.kind == CudaToken::Kind::punct && token.is("}")) {
        close_brace();
    } else if (!in_function()) {
        const bool opens = token.kind == CudaToken::Kind::punct && token.is("{");
        return opens ? open_brace() : head_.take(token);
    } else if (token.kind == CudaToken::Kind::punct && token.is("{")) {
        ++frames_.back().braces;
    }
    if (in_function()) {
        static_branches_.take(token, frames_.back().braces);
    }
    return Declaration::none;
}

CodeScope Scopes::scope_of(Declaration declaration) const {
    CodeScope scope;
    scope.owner = declaration == Declaration::type ? head_.type() : std::string_view(frames_.back().scope.owner);
    if (declaration == Declaration::function) {
        const bool by_class = head_.function() == scope.owner;  // a constructor
        scope.name = by_class ? std::string_view() : head_.function();
        scope.kind = head_.is_kernel()   ? CodeScope::Kind::kernel
                     : head_.is_device() ? CodeScope::Kind::device
                                         : CodeScope::Kind::host;
    }
    return scope;
}

Scopes::Declaration Scopes::open_brace() {
    const bool is_inside = head_.is_in_parens() || frames_.size() >= kDeepestFrames;
    const Declaration declaration = is_inside ? Declaration::none : head_.open_brace();
    head_.brace();
    if (declaration == Declaration::none) {
        ++frames_.back().braces;
        return declaration;
    }
    frames_.push_back({scope_of(declaration)});
    ++changes_;
    static_branches_ = {};
    return declaration;
}

void Scopes::close_brace() {
    head_.brace();
    if (frames_.back().braces != 0) {
        --frames_.back().braces;
        return;
    }
    if (frames_.size() > 1) {
        frames_.pop_back();
        ++changes_;
    }
    head_.leave_parens();
    head_.end();
}

void Scopes::directive(std::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
        if (branches_.size() < kDeepestBranches) {
            branches_.push_back(frames_);
        } else {
            ++too_deep_;
        }
    } else if (too_deep_ != 0) {
        too_deep_ -= name == "endif" ? 1 : 0;
    } else if (branches_.empty()) {
        return;
    } else if (name == "endif") {
        branches_.pop_back();
    } else if (name.starts_with("el")) {
        frames_ = branches_.back();
        ++changes_;
        head_.end();
    }
}

}  // namespace wheelarch
