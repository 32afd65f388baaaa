#include "lint/call_graph.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostEdges = std::size_t{1} << 23U;

}  // namespace

CallGraph::Name CallGraph::name_of(std::string_view text) {
    const auto [place, is_new] = names_.try_emplace(std::string(text), static_cast<Name>(reached_.size()));
    if (is_new) {
        reached_.push_back(kNoPass);
    }
    return place->second;
}

void CallGraph::add(const Body& body, std::string_view word, ArchMask passes) {
    if (count_ >= kMostEdges) {
        too_much_ = true;
        return;
    }
    const std::uint64_t key = std::uint64_t{body.owner} << 32U | body.name;
    const auto [place, is_new] = body_index_.try_emplace(key, bodies_.size());
    if (is_new) {
        bodies_.push_back(body);
        edges_.emplace_back();
    }
    const auto [edge, first] = edges_[place->second].try_emplace(name_of(word), kNoPass);
    edge->second |= passes;
    count_ += first ? 1 : 0;
}

void CallGraph::mention(const CodeScope& scope, std::string_view word, ArchMask passes) {
    if (scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host) {
        use(word, passes);
        return;
    }
    const Body body{scope.name.empty() ? 0 : name_of(scope.name), scope.owner.empty() ? 0 : name_of(scope.owner)};
    if (body.name != 0 || body.owner != 0) {
        add(body, word, passes);
    }
}

void CallGraph::mention(std::string_view name, std::string_view word, ArchMask passes) {
    add({name_of(name), 0}, word, passes);
}

void CallGraph::use(std::string_view word, ArchMask passes) {
    const Name name = name_of(word);
    reached_[name] |= passes;
}

ArchMask CallGraph::reached(const Body& body) const {
    return reached_[body.name] & reached_[body.owner];
}

void CallGraph::resolve() {
    // Names calls each other in few steps, and masks only grow.
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const ArchMask from = reached(bodies_[i]);
            if (from == kNoPass) {
                continue;
            }
            for (const auto& [to, passes] : edges_[i]) {
                const ArchMask more = reached_[to] | (from & passes);
                grows = grows || more != reached_[to];
                reached_[to] = more;
            }
        }
    }
}

ArchMask CallGraph::of(const CodeScope& scope) const {
    const bool always = scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host ||
                        (scope.name.empty() && scope.owner.empty());
    if (too_much_ || always) {
        return every_pass();
    }
    const ArchMask by_owner = scope.owner.empty() ? every_pass() : of_macro(scope.owner);
    return by_owner & (scope.name.empty() ? every_pass() : of_macro(scope.name));
}

ArchMask CallGraph::of_macro(const std::string& name) const {
    const auto found = names_.find(name);
    return too_much_ ? every_pass() : found == names_.end() ? kNoPass : reached_[found->second];
}

}  // namespace wheelarch
