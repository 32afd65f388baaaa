#include "policy/place.hpp"

#include <fmt/format.h>

namespace wheelarch {

std::string to_text(const Place& place) {
    return place.file ? fmt::format("{}:{}:{}", *place.file, place.line, place.column) : std::string();
}

std::string file_and_line(const Place& place) {
    return place.file ? fmt::format("{}:{}", *place.file, place.line) : std::string();
}

}  // namespace wheelarch
