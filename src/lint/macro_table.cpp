#include "lint/macro_table.hpp"

#include <algorithm>

namespace wheelarch {
namespace {

constexpr std::size_t kMostOfOneName = 64;  // the last ones count
constexpr std::size_t kMostDefinitions = std::size_t{1} << 17U;

// Guards of headers and long macros say nothing of archs.
bool worth_passing_on(const MacroDefinition& definition) {
    constexpr std::size_t kLongest = 512;
    const bool everywhere = devices(definition.may) == devices(every_pass());
    return definition.body.size() <= kLongest && !(everywhere && definition.body.empty());
}

}  // namespace

bool MacroTable::add(std::string_view name, const MacroDefinition& definition) {
    if (count_ >= kMostDefinitions) {
        return false;
    }
    std::vector<MacroDefinition>& all = definitions_[name];
    // The same text read twice.
    const bool known = std::any_of(all.begin(), all.end(), [&](const MacroDefinition& other) {
        return other.body.data() == definition.body.data() && other.removes == definition.removes;
    });
    if (known) {
        return false;
    }
    if (all.size() >= kMostOfOneName) {
        all.erase(all.begin());
        --count_;
    }
    all.push_back(definition);
    ++count_;
    return true;
}

void MacroTable::define(std::string_view name, const MacroDefinition& definition) {
    if (add(name, definition)) {
        own_.push_back({name, definition});
    }
}

const std::vector<MacroDefinition>* MacroTable::find(std::string_view name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
}

void MacroTable::include(const MacroTable& header, ArchMask may, ArchMask must) {
    for (const Header& inner : header.headers_) {
        include_own({inner.table, inner.may & may, inner.must & must});
    }
    include_own({&header, may, must});
}

void MacroTable::include_own(const Header& header) {
    if (header.may == kNoPass || !known_headers_.insert(header.table).second) {
        return;
    }
    headers_.push_back(header);
    ++included_count_;
    for (const auto& [name, definition] : header.table->own_) {
        MacroDefinition cut = definition;
        cut.may &= header.may;
        cut.must &= header.must;
        if (cut.may != kNoPass && worth_passing_on(cut)) {
            included_count_ += add(name, cut) ? 1 : 0;
        }
    }
}

}  // namespace wheelarch
