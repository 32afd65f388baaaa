#include "policy/arch_list_findings.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/torch_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kOwnFlagsOnly =
    "keep it only in a package that passes its own -gencode flags or builds with CMake";

Finding warning(std::string_view rule, std::string message, std::string fix) {
    return {std::string(rule), Severity::warning, {}, std::move(message), std::move(fix)};
}

Finding notice(std::string_view rule, std::string message, std::string fix) {
    return {std::string(rule), Severity::notice, {}, std::move(message), std::move(fix)};
}

std::string write_canonical(const ArchList& list) {
    return fmt::format("write {}", canonical(list));
}

void check_empty_items(const ArchList& list, const std::vector<Item>& raw, std::vector<Finding>& findings) {
    const auto empty = [](const Item& item) { return item.text.empty(); };
    const auto first = std::find_if(raw.begin(), raw.end(), empty);
    if (first == raw.end()) {
        return;
    }
    const auto count = std::count_if(raw.begin(), raw.end(), empty);
    const std::string what = count == 1 ? fmt::format("an empty item (column {})", first->column)
                                        : fmt::format("{} empty items (the first at column {})", count, first->column);
    const bool torch = list.notation == ArchNotation::torch;
    findings.push_back(
        warning("arch-list-empty-item",
                fmt::format("the arch list has {}{}", what, torch ? ": " + refusal(list.notation, "") : ""),
                write_canonical(list)));
}

void check_separators(const ArchList& list, std::vector<Finding>& findings) {
    const std::vector<Item> raw = split_items(list.text, kTorchSeparators, true);
    check_empty_items(list, raw, findings);
    const auto odd = std::find_if(raw.begin(), raw.end(), [](const Item& item) {
        return item.text.find_first_of(kAllSeparators) != std::string_view::npos;
    });
    if (odd != raw.end()) {
        findings.push_back(
            warning("arch-list-separator",
                    fmt::format("the arch list has a tab or a line break (in {}, column {}), which is no "
                                "separator: {}",
                                in_quotes(odd->text), odd->column, refusal(list.notation, odd->text)),
                    write_canonical(list)));
    }
    if (list.notation == ArchNotation::cmake && list.text.find(' ') != std::string::npos) {
        findings.push_back(warning("arch-list-separator",
                                   "the arch list has a space: CMake refuses the list, since only ';' separates",
                                   write_canonical(list)));
    }
}

void check_name(const Reading& reading, std::vector<Finding>& findings) {
    const TorchName& name = *reading.name;
    ArchSet archs;
    for (const Request& request : reading.requests) {
        archs.add(request.archs());
    }
    const std::string fix = fmt::format("write {}", spell(archs, ArchNotation::torch));
    const std::string history = name.history.empty() ? "" : fmt::format(" ({})", name.history);
    findings.push_back(warning("arch-list-named",
                               fmt::format("{} stands for {} in the cpp_extension of torch {}{}; builds by CMake read "
                                           "the name differently",
                                           name.name, name.meaning, to_text(kTorchTable), history),
                               fix));
    if (reading.ptx_twice) {
        const std::string_view last = name.meaning.substr(name.meaning.rfind(';') + 1);
        findings.push_back(warning("arch-list-named-ptx",
                                   fmt::format("{0} has PTX already, so torch's cpp_extension makes {1}+PTX of {0}+PTX "
                                               "and refuses it: {2}",
                                               name.name, name.meaning, torch_refusal(fmt::format("{}+PTX", last))),
                                   fix));
    }
}

void check_torch_knows(const Request& request, std::vector<Finding>& findings) {
    const std::string item = spell(request, ArchNotation::torch);
    const auto range = torch_support(request.arch);
    if (request.arch.suffix == 'f') {
        findings.push_back(warning("arch-list-suffix",
                                   fmt::format("torch's cpp_extension refuses the suffix f (up to torch {}): {}",
                                               to_text(kTorchTable), torch_refusal(item)),
                                   std::string(kOwnFlagsOnly)));
    } else if (!range || range->last) {
        const std::string others =
            range ? fmt::format(" (torch {} to {} know it)", to_text(range->first), to_text(*range->last)) : "";
        findings.push_back(
            notice("arch-list-torch-unknown",
                   fmt::format("{} is not in the table of torch {}, whose cpp_extension refuses it: {}{}",
                               torch_name(request.arch), to_text(kTorchTable), torch_refusal(item), others),
                   std::string(kOwnFlagsOnly)));
    }
}

void check_archs(const ArchList& list, const std::vector<Reading>& readings, std::vector<Finding>& findings) {
    std::set<Arch> seen;
    for (const Reading& reading : readings) {
        for (const Request& request : reading.requests) {
            if (!seen.insert(request.arch).second) {
                continue;
            }
            if (!first_cuda(request.arch)) {
                findings.push_back(
                    notice("arch-list-unknown-arch",
                           fmt::format("no CUDA release up to {} has a target for {} ({})", to_text(newest_cuda()),
                                       torch_name(request.arch), sass_name(request.arch)),
                           "check the number; a newer wheelarch may know it"));
            } else if (list.notation == ArchNotation::torch) {
                check_torch_knows(request, findings);
            }
        }
    }
}

void check_duplicates(const ArchList& list, const std::vector<Item>& items, const std::vector<Reading>& readings,
                      std::vector<Finding>& findings) {
    std::map<Request, std::vector<std::string>> places;
    for (std::size_t i = 0; i < readings.size(); ++i) {
        for (const Request& request : readings[i].requests) {
            places[request].push_back(fmt::format("{}", items[i].index));
        }
    }
    for (const auto& [request, indexes] : places) {
        if (indexes.size() > 1) {
            findings.push_back(warning("arch-list-duplicate",
                                       fmt::format("{} is asked for more than once, by items {}",
                                                   spell(request, list.notation), enumerate(indexes, 4)),
                                       write_canonical(list)));
        }
    }
}

}  // namespace

std::string refusal(ArchNotation notation, std::string_view item) {
    switch (notation) {
        case ArchNotation::torch:
            return fmt::format("torch's cpp_extension refuses it: {}", torch_refusal(shortened(item)));
        case ArchNotation::cmake:
            // Internal/CMakeCUDAArchitecturesValidate.cmake in CMake's modules.
            return "CMake refuses the list: it takes integers, each with a or f and with -real or -virtual at most";
        case ArchNotation::nvcc:
            return fmt::format("nvcc refuses it: Unsupported gpu architecture '{}'", shortened(item));
    }
    return "";
}

std::vector<Finding> arch_list_findings(const ArchList& list, const std::vector<Item>& items,
                                        const std::vector<Reading>& readings, std::string_view place) {
    std::vector<Finding> findings;
    check_separators(list, findings);
    for (const Reading& reading : readings) {
        if (reading.name != nullptr) {
            check_name(reading, findings);
        }
    }
    check_archs(list, readings, findings);
    check_duplicates(list, items, readings, findings);
    for (Finding& finding : findings) {
        finding.place = place;
    }
    return findings;
}

}  // namespace wheelarch
