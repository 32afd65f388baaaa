#include "policy/arch_list.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/arch_hint.hpp"
#include "policy/arch_item.hpp"
#include "policy/arch_list_findings.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/torch_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

// Far more than all archs in all spellings need; a longer text is no arch list.
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostSuggested = 30;

constexpr std::string_view kExample = "7.5;8.0;8.6;9.0+PTX";

// Words that stand for whatever is at hand. In lower case, since their readers differ in whether case matters.
struct Keyword {
    std::string_view word;
    std::string_view meaning;
};

constexpr Keyword kKeywords[] = {
    {"all", "every arch of the CUDA release at hand"},
    {"all-major", "every major arch of the CUDA release at hand"},
    {"common", "those that the CMake release at hand holds for common"},
    {"auto", "the GPUs of the build machine"},
    {"native", "the GPUs of the build machine"},
};

std::string_view owner(ArchNotation notation) {
    switch (notation) {
        case ArchNotation::torch: return "torch's";
        case ArchNotation::cmake: return "CMake's";
        case ArchNotation::nvcc: return "nvcc's";
    }
    return "";
}

Error bad_item(const Item& item, std::string_view problem, std::string fix) {
    return bad_usage(fmt::format("{} (item {} of the arch list, column {}) {}", in_quotes(item.text), item.index,
                                 item.column, problem),
                     std::move(fix));
}

// The notation that an unreadable item is probably in: that of the first readable item, else that of its own look.
ArchNotation probable_notation(const std::vector<Item>& items, std::string_view text) {
    for (const Item& item : items) {
        if (const auto reading = read_item(item.text)) {
            return reading->notation;
        }
    }
    const std::string lower = lower_case(text);
    if (lower.starts_with("sm") || lower.starts_with("compute")) {
        return ArchNotation::nvcc;
    }
    const bool cmake = lower.find("real") != std::string::npos || lower.find("virtual") != std::string::npos;
    return cmake ? ArchNotation::cmake : ArchNotation::torch;
}

void refuse_keyword(const Item& item) {
    const std::string lower = lower_case(item.text);
    for (const Keyword& keyword : kKeywords) {
        if (lower == keyword.word) {
            throw bad_item(item,
                           fmt::format("names no fixed archs but {}, so the same list gives another wheel elsewhere; "
                                       "only CMake has such words, and {}",
                                       keyword.meaning, refusal(ArchNotation::torch, item.text)),
                           fmt::format("write the archs out, such as {}", kExample));
        }
    }
}

void refuse_comma(const std::vector<Item>& items, const Item& item) {
    if (item.text.find(',') == std::string_view::npos) {
        return;
    }
    std::vector<Item> parts;
    for (const Item& one : items) {
        const std::vector<Item> pieces = split_items(one.text, ",", false);
        parts.insert(parts.end(), pieces.begin(), pieces.end());
    }
    std::vector<std::string_view> meant;
    for (const Item& part : parts) {
        if (parts.size() <= kMostSuggested && read_item(part.text)) {
            meant.push_back(part.text);
        }
    }
    const bool all_meant = !parts.empty() && meant.size() == parts.size();
    throw bad_item(item,
                   fmt::format("is one item, for a comma does not separate: {}",
                               refusal(probable_notation(parts, item.text), item.text)),
                   all_meant ? fmt::format("did you mean {}?", fmt::join(meant, ";")) : "separate the archs by ';'");
}

// `9.0 +PTX`: the item belongs to the one before it.
std::optional<std::string> meant_with(const std::vector<Item>& items, const Item& item, ArchNotation notation) {
    const bool stray = item.index > 1 && lower_case(item.text) == "+ptx";
    return stray ? meant_item(std::string(items[item.index - 2].text) + "+PTX", notation)
                 : meant_item(item.text, notation);
}

Reading require_reading(const std::vector<Item>& items, const Item& item) {
    refuse_keyword(item);
    refuse_comma(items, item);
    if (auto reading = read_item(item.text)) {
        return *std::move(reading);
    }
    const ArchNotation notation = probable_notation(items, item.text);
    const auto meant = meant_with(items, item, notation);
    throw bad_item(item, fmt::format("is not an arch: {}", refusal(notation, item.text)),
                   meant
                       ? fmt::format("did you mean {}?", *meant)
                       : "an arch is written 9.0, 9.0a or 9.0+PTX (torch), 90, 90-real or 90-virtual (CMake), sm_90 or "
                         "compute_90 (nvcc)");
}

void refuse_mixture(const std::vector<Item>& items, const std::vector<Reading>& readings, const ArchSet& archs) {
    const ArchNotation first = readings.front().notation;
    for (std::size_t i = 1; i < readings.size(); ++i) {
        if (readings[i].notation != first) {
            throw bad_item(items[i],
                           fmt::format("is in {} notation, but item 1, {}, is in {}: no build reads both in one list",
                                       owner(readings[i].notation), in_quotes(items.front().text), owner(first)),
                           fmt::format("write all of it in one notation: {}", spell(archs, first)));
        }
    }
}

std::optional<std::string> meant_instead(const Item& item, const Request& request, ArchNotation notation) {
    if (const auto near = nearest_arch(request.arch)) {
        return spell({*near, request.sass, request.ptx}, notation);
    }
    return meant_item(item.text, notation);
}

// `12`: a major version alone. The list is mostly for torch, which reads 12.0; 120 is how CMake writes it.
std::string hint_for(const Item& item, const Request& request, ArchNotation notation) {
    const Arch whole{request.arch.number * 10, request.arch.suffix};
    if (notation == ArchNotation::cmake && first_cuda(whole)) {
        return fmt::format("did you mean {}? ({} in CMake's notation)", torch_name(whole),
                           spell({whole, request.sass, request.ptx}, notation));
    }
    const auto meant = meant_instead(item, request, notation);
    return meant ? fmt::format("did you mean {}?", *meant) : "check the number";
}

void refuse_implausible(const Item& item, const Reading& reading) {
    for (const Request& request : reading.requests) {
        if (!first_cuda(request.arch) && !is_plausible(request.arch)) {
            throw bad_item(item,
                           fmt::format("is in no CUDA release from {} to {} and not likely in a later one: nvcc says "
                                       "Unsupported gpu architecture '{}'",
                                       to_text(oldest_cuda()), to_text(newest_cuda()), ptx_name(request.arch)),
                           hint_for(item, request, reading.notation));
        }
    }
}

ArchList parse(std::string_view text, std::string_view place) {
    if (text.size() > kLongestText) {
        throw bad_usage(fmt::format("the arch list is {} bytes long, and {} is the most", text.size(), kLongestText),
                        "check where the text comes from");
    }
    const std::vector<Item> items = split_items(text, kAllSeparators, false);
    if (items.empty()) {
        throw bad_usage(fmt::format("the arch list is empty: {}",
                                    text.empty() ? "torch's cpp_extension would build for the GPUs of the build machine"
                                                 : refusal(ArchNotation::torch, "")),
                        fmt::format("name the archs, such as {}", kExample));
    }
    std::vector<Reading> readings;
    ArchSet archs;
    for (const Item& item : items) {
        readings.push_back(require_reading(items, item));
        for (const Request& request : readings.back().requests) {
            archs.add(request.archs());
        }
    }
    refuse_mixture(items, readings, archs);
    for (std::size_t i = 0; i < items.size(); ++i) {
        refuse_implausible(items[i], readings[i]);
    }
    ArchList list{std::string(text), readings.front().notation, std::move(archs), {}};
    list.findings = arch_list_findings(list, items, readings, place);
    return list;
}

}  // namespace

ArchList parse_arch_list(std::string_view text, std::string_view place) {
    if (place.empty()) {
        return parse(text, place);
    }
    return inside(std::string(place), [&] { return parse(text, place); });
}

std::string canonical(const ArchList& list) {
    return spell(list.archs, list.notation);
}

}  // namespace wheelarch
