#include "lint/device/call_graph.hpp"

#include <algorithm>
#include <utility>

namespace wheelarch {
namespace {

constexpr std::size_t kMostEdges = std::size_t{1} << 23U;

}  // namespace

// Never 0.
CallGraph::Name CallGraph::name_of(std::string_view text) {
    return word_hash(text) | 1U;
}

void CallGraph::declare(std::string_view name) {
    declared_.insert(name_of(name));
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
        place.body_ =
            body_of(scope.name.empty() ? 0 : name_of(scope.name), scope.owner.empty() ? 0 : name_of(scope.owner));
    }
    return place;
}

bool CallGraph::is_known(std::size_t body, Name word, ArchMask passes) {
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
    if (place == kOutside || !declared_.may_contain(name) || is_known(place, name, passes)) {
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
    macro(name);
    add(body_of(name_of(name), 0), word, passes);
}

void CallGraph::macro(std::string_view name) {
    bodies_[body_of(name_of(name), 0)].for_others = false;
}

void CallGraph::alias(std::string_view name, std::string_view word, ArchMask passes) {
    add(body_of(name_of(name), 0), word, passes);
}

void CallGraph::use(std::string_view word, ArchMask passes) {
    add(kUsed, word, passes);
}

void CallGraph::ask(const CodeScope& scope) {
    if (scope.kind == CodeScope::Kind::kernel || scope.kind == CodeScope::Kind::host) {
        return;  // always there
    }
    for (const std::string* text : {&scope.name, &scope.owner}) {
        if (!text->empty() && asked_.insert(name_of(*text))) {
            roots_.push_back(name_of(*text));
        }
    }
}

void CallGraph::find_asked() {
    const auto is_asked = [&](const Edge& edge) { return asked_.contains(edge.to); };
    for (bool more = true; more;) {
        more = false;
        for (Body& body : bodies_) {
            if (body.asked || std::none_of(body.edges.begin(), body.edges.end(), is_asked)) {
                continue;
            }
            body.asked = true;
            for (const Name name : {body.name, body.owner}) {
                more = (name != 0 && asked_.insert(name)) || more;
            }
        }
    }
}

std::size_t CallGraph::number_of(Name name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? 0 : found->second;
}

// Of the asked ones; 0 for others, and for no name. Those are as if they were always there.
void CallGraph::number_names() {
    find_asked();
    names_ = {0};
    reached_ = {every_pass()};
    numbers_.clear();
    nodes_.clear();
    const auto numbered = [&](Name name) -> std::size_t {
        if (name == 0 || !asked_.contains(name)) {
            return 0;
        }
        const auto [place, is_new] = numbers_.try_emplace(name, names_.size());
        if (is_new) {
            names_.push_back(name);
            reached_.push_back(kNoPass);
        }
        return place->second;
    };
    for (const auto& [name, passes] : used_) {
        if (const std::size_t number = numbered(name); number != 0) {
            reached_[number] = passes;
        }
    }
    for (const Body& body : bodies_) {
        Node node{numbered(body.name), numbered(body.owner), body.owner != 0, body.for_others, {}};
        for (const Edge& edge : body.edges) {
            if (const std::size_t to = numbered(edge.to); to != 0) {
                node.edges.push_back({to, edge.passes});
            }
        }
        if (node.name != 0 || node.owner != 0 || !node.edges.empty()) {
            nodes_.push_back(std::move(node));
        }
    }
}

std::vector<bool> CallGraph::named() const {
    std::vector<bool> named(reached_.size());
    named[0] = true;
    for (const auto& [name, passes] : used_) {
        named[number_of(name)] = true;
    }
    for (const Node& node : nodes_) {
        for (const Edge& edge : node.edges) {
            named[edge.to] = named[edge.to] || (edge.to != node.name && edge.to != node.owner);
        }
    }
    return named;
}

ArchMask CallGraph::reached(const Node& node) const {
    return reached_[node.name] & reached_[node.owner];
}

WordSet CallGraph::open() {
    number_names();
    follow();
    WordSet open_names;
    std::vector<bool> is_open(names_.size());
    const auto open = [&](std::size_t number) {
        const bool settled = number == 0 || devices(~reached_[number]) == kNoPass;
        const bool is_new = !settled && !is_open[number];
        if (is_new) {
            is_open[number] = true;
            open_names.insert(names_[number]);
        }
        return is_new;
    };
    for (const Name name : roots_) {
        if (!numbers_.contains(name)) {
            open_names.insert(name);
        }
        open(number_of(name));
    }
    for (bool more = true; more;) {
        more = false;
        for (const Node& node : nodes_) {
            if (std::any_of(node.edges.begin(), node.edges.end(), [&](const Edge& edge) { return is_open[edge.to]; })) {
                const bool name = open(node.name);
                more = open(node.owner) || name || more;
            }
        }
    }
    return open_names;
}

void CallGraph::resolve() {
    number_names();
    const std::vector<bool> is_named = named();
    // Its class decides when a method counts.
    for (const Node& node : nodes_) {
        if (node.is_method && !is_named[node.name]) {
            reached_[node.name] = every_pass();
        }
    }
    follow();
    called_ = reached_;
    for (const Node& node : nodes_) {
        for (const std::size_t name : {node.name, node.owner}) {
            if (node.for_others && !is_named[name]) {
                reached_[name] = every_pass();
            }
        }
    }
    follow();
}

// Each body again when its name or class is reached in further passes: no more often than there are passes.
void CallGraph::follow() {
    std::vector<std::vector<std::size_t>> nodes_of(reached_.size());
    std::vector<std::size_t> to_do;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (const std::size_t name : {nodes_[i].name, nodes_[i].owner}) {
            nodes_of[name].push_back(i);
        }
        to_do.push_back(i);
    }
    while (!to_do.empty()) {
        const Node& node = nodes_[to_do.back()];
        to_do.pop_back();
        const ArchMask from = reached(node);
        for (const Edge& edge : node.edges) {
            const ArchMask more = reached_[edge.to] | (from & edge.passes);
            if (more != reached_[edge.to]) {
                reached_[edge.to] = more;
                to_do.insert(to_do.end(), nodes_of[edge.to].begin(), nodes_of[edge.to].end());
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
