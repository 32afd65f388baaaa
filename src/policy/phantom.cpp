#include "policy/phantom.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/parse.hpp>
#include <boost/json/stream_parser.hpp>
#include <boost/json/value.hpp>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostCombos = 100'000;
constexpr char kForm[] = R"(a combo is written like ["124", "2.5", "313", "windows"])";

boost::json::value parse_json(const std::string& text) {
    boost::json::stream_parser parser;
    boost::system::error_code failed;
    const std::size_t read = parser.write_some(text, failed);
    const bool more = !failed && text.find_first_not_of(" \t\r\n", read) != std::string::npos;
    if (!failed && !more) {
        parser.finish(failed);
    }
    if (failed || more) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(read);
        throw bad_usage(fmt::format("this is no JSON at line {}: {}", std::count(text.begin(), end, '\n') + 1,
                                    more ? "there is more after the value" : failed.message()),
                        "correct what stands there");
    }
    return parser.release();
}

Phantom read_combo(const boost::json::value& value, std::size_t number) {
    const auto* parts = value.if_array();
    const bool texts = parts != nullptr && parts->size() == 4 &&
                       std::all_of(parts->begin(), parts->end(), [](const auto& part) { return part.is_string(); });
    if (!texts) {
        throw bad_usage(fmt::format("combo {} is no list of four texts: CUDA, torch, Python and platform", number),
                        kForm);
    }
    const auto part = [&](std::size_t i) { return std::string(parts->at(i).get_string()); };
    if (part(0).find('.') != std::string::npos || part(1).find('.') == std::string::npos ||
        part(2).find('.') != std::string::npos) {
        throw bad_usage(
            fmt::format("combo {} matches no cell: CUDA and Python stand there without their dot, torch with it",
                        number),
            kForm);
    }
    return {part(0), part(1), part(2), part(3)};
}

}  // namespace

std::set<Phantom> read_phantoms(const FarmFile& file) {
    return inside(*file.name, [&] {
        const boost::json::value json = parse_json(file.bytes);
        const auto* object = json.if_object();
        const auto* combos = object != nullptr ? object->if_contains("combos") : nullptr;
        if (combos == nullptr || !combos->is_array() || combos->get_array().size() > kMostCombos) {
            throw bad_usage(fmt::format("the file has no list combos of at most {} combos", kMostCombos), kForm);
        }
        std::set<Phantom> phantoms;
        std::size_t number = 0;
        for (const auto& combo : combos->get_array()) {
            phantoms.insert(read_combo(combo, ++number));
        }
        return phantoms;
    });
}

}  // namespace wheelarch
