#include "lint/call_graph.hpp"

#include <algorithm>
#include <functional>

namespace wheelarch {
namespace {

constexpr std::size_t kMostEdges = std::size_t{1} << 23U;

}  // namespace

// Never 0.
CallGraph::Name CallGraph::name_of(std::string_view text) {
    return std::hash<std::string_view>()(text) | 1U;
}

void CallGraph::add(Name name, Name owner, std::string_view word, ArchMask passes) {
    constexpr Name kOdd = 0x9e3779b97f4a7c15;  // so that a::b is not b::a
    const auto [place, is_new] = body_index_.try_emplace(name + owner * kOdd, bodies_.size());
    if (is_new) {
        bodies_.push_back({name, owner, {}});
    }
    Body& body = bodies_[place->second];
    if (body.edges.size() >= body.merge_at) {
        merge(body);
    }
    too_much_ = too_much_ || count_ >= kMostEdges;
    if (!too_much_) {
        body.edges.push_back({name_of(word), passes});
        ++count_;
    }
}

// Most words of a body are there more than once.
void CallGraph::merge(Body& body) {
    std::vector<Edge>& edges = body.edges;
    count_ -= edges.size();
    std::sort(edges.begin(), edges.end(), [](const Edge& left, const Edge& right) { return left.to < right.to; });
    std::size_t kept = 0;
    for (const Edge& edge : edges) {
        if (kept != 0 && edges[kept - 1].to == edge.to) {
            edges[kept - 1].passes |= edge.passes;
        } else {
            edges[kept++] = edge;
        }
    }
    edges.resize(kept);
    count_ += kept;
    body.merge_at = 2 * std::max<std::size_t>(kept, 32);
}

void CallGraph::mention(const CodeScope& scope, std::string_view word, ArchMask passes) {
    if (scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host) {
        use(word, passes);
    } else if (!scope.name.empty() || !scope.owner.empty()) {
        add(scope.name.empty() ? 0 : name_of(scope.name), scope.owner.empty() ? 0 : name_of(scope.owner), word, passes);
    }
}

void CallGraph::mention(std::string_view name, std::string_view word, ArchMask passes) {
    add(name_of(name), 0, word, passes);
}

void CallGraph::use(std::string_view word, ArchMask passes) {
    used_[name_of(word)] |= passes;
}

void CallGraph::number_names() {
    reached_ = {every_pass()};  // of no name
    numbers_ = {{0, 0}};
    const auto number_of = [&](Name name) {
        const auto [place, is_new] = numbers_.try_emplace(name, reached_.size());
        if (is_new) {
            reached_.push_back(kNoPass);
        }
        return place->second;
    };
    for (const auto& [name, passes] : used_) {
        reached_[number_of(name)] = passes;
    }
    for (Body& body : bodies_) {
        merge(body);
        body.name = number_of(body.name);
        body.owner = number_of(body.owner);
        for (Edge& edge : body.edges) {
            edge.to = number_of(edge.to);
        }
    }
}

ArchMask CallGraph::reached(const Body& body) const {
    return reached_[body.name] & reached_[body.owner];
}

// Each body again when its name or class is reached in further passes: no more often than there are passes.
void CallGraph::resolve() {
    number_names();
    std::vector<std::vector<std::size_t>> bodies_of(reached_.size());
    std::vector<std::size_t> to_do;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        for (const Name name : {bodies_[i].name, bodies_[i].owner}) {
            bodies_of[name].push_back(i);
        }
        to_do.push_back(i);
    }
    while (!to_do.empty()) {
        const Body& body = bodies_[to_do.back()];
        to_do.pop_back();
        const ArchMask from = reached(body);
        for (const Edge& edge : body.edges) {
            const ArchMask more = reached_[edge.to] | (from & edge.passes);
            if (more != reached_[edge.to]) {
                reached_[edge.to] = more;
                to_do.insert(to_do.end(), bodies_of[edge.to].begin(), bodies_of[edge.to].end());
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
    const auto found = numbers_.find(name_of(name));
    return too_much_ ? every_pass() : found == numbers_.end() ? kNoPass : reached_[found->second];
}

}  // namespace wheelarch
