// The items of an arch list: cutting a text into them, and what one says. No judgement here; arch_list.cpp has that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "policy/arch_list.hpp"
#include "policy/torch_archs.hpp"

namespace wheelarch {

// torch and CMake separate by the first of these; the rest are what people write between items all the same.
inline constexpr std::string_view kTorchSeparators = "; ";
inline constexpr std::string_view kAllSeparators = "; \t\n\r\v\f";

struct Item {
    std::string_view text;
    std::size_t column = 0;  // of its first byte in the list, from 1
    std::size_t index = 0;   // among the items that are not empty, from 1
};

std::vector<Item> split_items(std::string_view text, std::string_view separators, bool keep_empty);

// One arch, and what is asked for it.
struct Request {
    Arch arch;
    bool sass = false;
    bool ptx = false;

    ArchSet archs() const;
    auto operator<=>(const Request&) const = default;
};

struct Reading {
    ArchNotation notation = ArchNotation::torch;
    std::vector<Request> requests;  // more than one only for a name
    const TorchName* name = nullptr;
    bool ptx_twice = false;  // `Turing+PTX`: torch makes 7.5+PTX+PTX of it
};

// None if the item is in no notation. It does not ask whether such an arch exists.
std::optional<Reading> read_item(std::string_view text);

// `9.0a+PTX`; `90`, `90-real`, `90-virtual`; `sm_90`, `compute_90`, `sm_90;compute_90`. PTX alone has no torch spelling
// and is given in CMake's.
std::string spell(const Request& request, ArchNotation notation);
// The whole set, ascending, `;` between.
std::string spell(const ArchSet& archs, ArchNotation notation);

}  // namespace wheelarch
