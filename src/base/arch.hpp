// Arch: a GPU target, and ArchSet: what a list asks for or a binary holds. docs/glossary.md has the words.
//
// An arch is the decimal SM number (90 is compute capability 9.0, 121 is 12.1) and an optional suffix, which is part
// of it: code for 9.0a runs on 9.0 hardware only, code for 10.0f on the family of 10.0.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace wheelarch {

struct Arch {
    std::uint32_t number = 0;  // 10 * major + minor
    char suffix = '\0';        // '\0', 'a' (this device only) or 'f' (this family)

    std::uint32_t major() const noexcept { return number / 10; }
    std::uint32_t minor() const noexcept { return number % 10; }

    auto operator<=>(const Arch&) const = default;
};

// The spellings: `90a`, `9.0a` (torch), `sm_90a` (SASS), `compute_90a` (PTX).
std::string bare_name(Arch arch);
std::string torch_name(Arch arch);
std::string sass_name(Arch arch);
std::string ptx_name(Arch arch);

// Digits and an optional suffix, as in the spellings above after their prefix: `90a`, `121`. Two to four digits.
std::optional<Arch> parse_bare_arch(std::string_view text);
// Major, dot, one-digit minor, optional suffix: `9.0a`, `12.1`.
std::optional<Arch> parse_dotted_arch(std::string_view text);

struct ArchSet {
    std::set<Arch> sass;
    std::set<Arch> ptx;

    bool empty() const noexcept { return sass.empty() && ptx.empty(); }
    void add(const ArchSet& other);
    auto operator<=>(const ArchSet&) const = default;
};

// Elements of `left` that `right` lacks.
ArchSet minus(const ArchSet& left, const ArchSet& right);

// `sm_80 sm_90 compute_90`, or `nothing`.
std::string to_text(const ArchSet& archs);
// The shortest torch list that asks for exactly this set, joined by `;`: `8.0;9.0+PTX`. PTX without SASS of the
// same arch has no torch spelling, so such a set is given in CMake's: `80-real;90-virtual`.
std::string to_arch_list(const ArchSet& archs);

}  // namespace wheelarch
