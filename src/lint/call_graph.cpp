#include "lint/call_graph.hpp"

#include <algorithm>
#include <utility>

namespace wheelarch {
namespace {

constexpr std::size_t kMostEdges = std::size_t{1} << 23U;
constexpr std::size_t kKnown = std::size_t{1} << 12U;

}  // namespace

// Never 0.
CallGraph::Name CallGraph::name_of(std::string_view text) {
    return word_hash(text) | 1U;
}

std::size_t CallGraph::body_of(Name name, Name owner) {
    constexpr Name kOdd = 0x9e3779b97f4a7c15;  // so that a::b is not b::a
    const auto [place, is_new] = body_index_.try_emplace(name + owner * kOdd, bodies_.size());
    if (is_new) {
        Body body;
        body.name = name;
        body.owner = owner;
        bodies_.push_back(std::move(body));
    }
    return place->second;
}

CallGraph::Place CallGraph::place_of(const CodeScope& scope) {
    Place place;
    if (scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host) {
        place.body_ = kUsed;
    } else if (scope.name.empty() && scope.owner.empty()) {
        place.body_ = kOutside;
    } else {
        place.body_ = body_of(scope.name.empty() ? 0 : name_of(scope.name), scope.owner.empty() ? 0 : name_of(scope.owner));
    }
    return place;
}

bool CallGraph::is_known(std::size_t body, Name word, ArchMask passes) {
    known_.resize(kKnown);
    Known& known = known_[(word >> 40U ^ body) % kKnown];
    if (known.body != body || known.edge.to != word) {
        known = {body, {word, passes}};
        return false;
    }
    const bool same = (passes & ~known.edge.passes) == kNoPass;
    known.edge.passes |= passes;
    return same;
}

void CallGraph::add(std::size_t place, std::string_view word, ArchMask passes) {
    const Name name = name_of(word);
    if (place == kOutside || is_known(place, name, passes)) {
        return;
    }
    if (place == kUsed) {
        used_[name] |= passes;
        return;
    }
    Body& body = bodies_[place];
    if (body.edges.size() >= body.merge_at) {
        merge(body);
    }
    too_much_ = too_much_ || count_ >= kMostEdges;
    if (!too_much_) {
        body.edges.push_back({name, passes});
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

void CallGraph::mention(Place place, std::string_view word, ArchMask passes) {
    add(place.body_, word, passes);
}

void CallGraph::mention(std::string_view name, std::string_view word, ArchMask passes) {
    const std::size_t body = body_of(name_of(name), 0);
    bodies_[body].for_others = false;
    add(body, word, passes);
}

void CallGraph::alias(std::string_view name, std::string_view word, ArchMask passes) {
    add(body_of(name_of(name), 0), word, passes);
}

void CallGraph::use(std::string_view word, ArchMask passes) {
    add(kUsed, word, passes);
}

bool CallGraph::ask(Name name) {
    return name != 0 && asked_.insert(name);
}

void CallGraph::ask(const CodeScope& scope) {
    if (scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host) {
        return;  // always there
    }
    for (const std::string* text : {&scope.name, &scope.owner}) {
        ask(text->empty() ? 0 : name_of(*text));
    }
}

const WordSet& CallGraph::asked() {
    const auto leads_there = [&](const Edge& edge) { return asked_.contains(edge.to); };
    for (bool more = true; more;) {
        more = false;
        for (Body& body : bodies_) {
            if (!body.asked && std::any_of(body.edges.begin(), body.edges.end(), leads_there)) {
                body.asked = true;
                const bool name = ask(body.name);
                more = ask(body.owner) || name || more;
            }
        }
    }
    return asked_;
}

// What is left out leads to nothing that is asked.
void CallGraph::forget_unasked() {
    for (Body& body : bodies_) {
        std::erase_if(body.edges, [&](const Edge& edge) { return !asked_.contains(edge.to); });
    }
    std::erase_if(used_, [&](const auto& one) { return !asked_.contains(one.first); });
}

void CallGraph::number_names() {
    forget_unasked();
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

std::vector<bool> CallGraph::named() const {
    std::vector<bool> named(reached_.size());
    named[0] = true;
    for (const auto& [name, passes] : used_) {
        named[numbers_.at(name)] = true;
    }
    for (const Body& body : bodies_) {
        for (const Edge& edge : body.edges) {
            named[edge.to] = named[edge.to] || (edge.to != body.name && edge.to != body.owner);
        }
    }
    return named;
}

ArchMask CallGraph::reached(const Body& body) const {
    return reached_[body.name] & reached_[body.owner];
}

void CallGraph::resolve() {
    number_names();
    std::vector<std::vector<std::size_t>> bodies_of(reached_.size());
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        for (const Name name : {bodies_[i].name, bodies_[i].owner}) {
            bodies_of[name].push_back(i);
        }
        all.push_back(i);
    }
    const std::vector<bool> is_named = named();
    // Its class decides when a method counts.
    for (const Body& body : bodies_) {
        if (body.owner != 0 && !is_named[body.name]) {
            reached_[body.name] = every_pass();
        }
    }
    follow(bodies_of, all);
    called_ = reached_;
    for (const Body& body : bodies_) {
        for (const Name name : {body.name, body.owner}) {
            if (body.for_others && !is_named[name]) {
                reached_[name] = every_pass();
            }
        }
    }
    follow(bodies_of, std::move(all));
}

// Each body again when its name or class is reached in further passes: no more often than there are passes.
void CallGraph::follow(const std::vector<std::vector<std::size_t>>& bodies_of, std::vector<std::size_t> to_do) {
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

ArchMask CallGraph::of_name(std::string_view name, const std::vector<ArchMask>& masks) const {
    const auto found = numbers_.find(name_of(name));
    return name.empty() || too_much_ || found == numbers_.end() ? every_pass() : masks[found->second];
}

ArchMask CallGraph::of(const CodeScope& scope, const std::vector<ArchMask>& masks) const {
    const bool always = scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host;
    return always ? every_pass() : of_name(scope.owner, masks) & of_name(scope.name, masks);
}

ArchMask CallGraph::of(const CodeScope& scope) const {
    return of(scope, reached_);
}

ArchMask CallGraph::called(const CodeScope& scope) const {
    return of(scope, called_);
}

}  // namespace wheelarch
