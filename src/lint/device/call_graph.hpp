// CallGraph: the passes in which a function of a package is compiled into device code, by who calls it.
//
// A __device__ function that is only called under a condition is there for the archs of the condition alone, and one
// that is named in dead code alone is not there. Functions are told apart by name, and methods by name and class: what
// has the same name counts as called together. A kernel and the host's code are always there, and so is a function,
// class or alias that nothing in the package names, as it is there for others: a library's templates call methods, and
// whoever includes a header what is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lint/arch_mask.hpp"
#include "lint/device/scopes.hpp"
#include "lint/device/word_set.hpp"

namespace wheelarch {

class CallGraph {
public:
    // A function, class, alias or macro is there. What is said of other words is not kept.
    void declare(std::string_view name);
    bool may_be_declared(std::uint64_t word_hash) const { return declared_.may_contain(word_hash); }
    // It is a macro: not there for others.
    void macro(std::string_view name);
    // It is there, whatever is mentioned in it.
    void note(const CodeScope& scope) { place_of(scope); }

    // Where a word stands; good for as long as this object.
    class Place {
        friend class CallGraph;
        std::size_t body_ = 0;
    };
    Place place_of(const CodeScope& scope);

    // `word` stands in the body of a function, or in a class, where it is compiled in `passes`.
    void mention(Place place, std::string_view word, ArchMask passes);
    // It stands for itself in the text that a macro stands for.
    void mention(std::string_view name, std::string_view word, ArchMask passes);
    // The same for another name of a type.
    void alias(std::string_view name, std::string_view word, ArchMask passes);
    // It is used, whoever calls what.
    void use(std::string_view word, ArchMask passes);

    // Somebody will ask for the scope.
    void ask(const CodeScope& scope);
    // The names of which it matters where else they stand, by what was said so far: those that are asked for, and the
    // functions that have such in them; without what is there in all passes already. Nothing else need be said.
    WordSet open();

    // When everything was said and asked.
    void resolve();
    // Every pass for what is outside of functions, and if there was too much to keep.
    ArchMask of(const CodeScope& scope) const;
    // Without what is there for others: nothing but -rdc=true compiles it. Methods that nothing in the package names
    // count as called where their class is.
    ArchMask called(const CodeScope& scope) const;

private:
    using Name = std::uint64_t;  // a hash; names of the same one count as one
    struct Edge {
        Name to = 0;  // its number, once resolved
        ArchMask passes = kNoPass;
    };
    struct Body {
        Name name = 0;   // 0: whenever the class is used
        Name owner = 0;  // 0: none
        bool for_others = true;
        bool asked = false;  // it leads to what is asked
        std::vector<Edge> edges;
        std::size_t merge_at = 64;  // edges
    };
    // The same with the numbers of names, and without what leads to nothing that is asked.
    struct Node {
        std::size_t name = 0;
        std::size_t owner = 0;
        bool is_method = false;
        bool for_others = true;
        std::vector<Edge> edges;
    };

    static Name name_of(std::string_view text);
    std::size_t body_of(Name name, Name owner);
    bool is_known(std::size_t body, Name word, ArchMask passes);
    void add(std::size_t body, std::string_view word, ArchMask passes);
    void merge(Body& body);
    void find_asked();
    void number_names();
    std::size_t number_of(Name name) const;
    std::vector<bool> named() const;
    void follow();
    ArchMask reached(const Node& node) const;
    ArchMask of_name(std::string_view name, const std::vector<ArchMask>& masks) const;
    ArchMask of(const CodeScope& scope, const std::vector<ArchMask>& masks) const;

    // In place of a body; the first of bodies_ and the second are none.
    static constexpr std::size_t kUsed = 0;     // whoever calls what
    static constexpr std::size_t kOutside = 1;  // in no function and no class
    static constexpr std::size_t kKnown = std::size_t{1} << 12U;

    // An edge that was added, so that most of what is said again is not kept again.
    struct Known {
        std::size_t body = kOutside;
        Edge edge;
    };

    WordSet declared_{std::size_t{1} << 21U};
    std::vector<Body> bodies_{2};
    std::unordered_map<Name, std::size_t> body_index_;
    std::unordered_map<Name, ArchMask> used_;
    std::vector<Known> known_{kKnown};
    std::vector<Name> roots_;
    WordSet asked_;

    std::vector<Node> nodes_;
    std::unordered_map<Name, std::size_t> numbers_;
    std::vector<Name> names_;        // by number
    std::vector<ArchMask> reached_;  // likewise
    std::vector<ArchMask> called_;
    bool too_much_ = false;
    std::size_t count_ = 0;  // of edges
};

}  // namespace wheelarch
