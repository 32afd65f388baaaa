#include "lint/device/macro_table.hpp"

#include <algorithm>

namespace wheelarch {
namespace {

constexpr std::size_t kMostOfOneName = 64;  // the last ones count
constexpr std::size_t kMostDefinitions = std::size_t{1} << 17U;
constexpr std::size_t kMostSearched = 256;  // definers of a name, before headers are searched for it

// Guards of headers and long macros say nothing of archs.
bool worth_passing_on(const MacroDefinition& definition) {
    constexpr std::size_t kLongest = 512;
    const bool everywhere = devices(definition.may) == devices(every_pass());
    return definition.body.size() <= kLongest && !(everywhere && definition.body.empty());
}

}  // namespace

void MacroTable::define(std::string_view name, const MacroDefinition& definition) {
    if (count_ >= kMostDefinitions) {
        return;
    }
    std::vector<MacroDefinition>& all = own_[name];
    if (all.empty()) {
        index_.definers_[name].push_back(this);
    } else if (all.size() >= kMostOfOneName) {
        all.erase(all.begin());
        --count_;
    }
    all.push_back(definition);
    ++count_;
    found_.erase(name);
}

void MacroTable::include(const MacroTable& header, ArchMask may, ArchMask must) {
    for (const Header& inner : header.headers_) {
        include_one({inner.table, inner.may & may, inner.must & must});
    }
    include_one({&header, may, must});
}

void MacroTable::include_one(const Header& header) {
    if (header.may == kNoPass || includes(*header.table)) {
        return;
    }
    std::size_t& number = header.table->number_;
    number = number == 0 ? ++index_.headers_ : number;
    known_headers_.resize(std::max(known_headers_.size(), number / 64 + 1));
    known_headers_[number / 64] |= std::uint64_t{1} << number % 64;
    headers_.push_back(header);
}

bool MacroTable::includes(const MacroTable& header) const {
    const std::size_t number = header.number_;
    return number / 64 < known_headers_.size() && (known_headers_[number / 64] >> number % 64 & 1U) != 0;
}

const std::vector<MacroDefinition>* MacroTable::find(std::string_view name) const {
    const auto definers = index_.definers_.find(name);
    if (definers == index_.definers_.end()) {
        return nullptr;
    }
    const auto [known, is_new] = found_.try_emplace(definers->first);
    Found& found = known->second;
    if (is_new || found.headers != headers_.size()) {
        const std::vector<const Header*> headers = headers_with(name, definers->second);
        found = {headers.empty() ? std::vector<MacroDefinition>() : all_of(name, headers), headers_.size()};
    }
    if (!found.definitions.empty()) {
        return &found.definitions;
    }
    const auto own = own_.find(name);
    return own == own_.end() ? nullptr : &own->second;
}

// In the order in which they were included.
std::vector<const MacroTable::Header*> MacroTable::headers_with(std::string_view name,
                                                                const std::vector<const MacroTable*>& definers) const {
    std::vector<const Header*> found;
    if (definers.size() <= kMostSearched) {
        for (const MacroTable* table : definers) {
            ++searched_;
            if (includes(*table)) {
                searched_ += headers_.size();
                found.push_back(&*std::find_if(headers_.begin(), headers_.end(),
                                               [&](const Header& header) { return header.table == table; }));
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    searched_ += headers_.size();
    for (const Header& header : headers_) {
        if (header.table->own_.contains(name)) {
            found.push_back(&header);
        }
    }
    return found;
}

std::vector<MacroDefinition> MacroTable::all_of(std::string_view name,
                                                const std::vector<const Header*>& headers) const {
    std::vector<MacroDefinition> all;
    for (const Header* header : headers) {
        for (MacroDefinition definition : header->table->own_.at(name)) {
            definition.may &= header->may;
            definition.must &= header->must;
            if (definition.may != kNoPass && worth_passing_on(definition)) {
                all.push_back(definition);
            }
        }
    }
    if (const auto own = own_.find(name); own != own_.end()) {
        all.insert(all.end(), own->second.begin(), own->second.end());
    }
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), kMostOfOneName)));
    return all;
}

}  // namespace wheelarch
