#include "policy/arch_item.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wheelarch {
namespace {

bool take_suffix(std::string_view& text, std::string_view suffix) {
    const bool there = text.size() > suffix.size() && text.ends_with(suffix);
    text.remove_suffix(there ? suffix.size() : 0);
    return there;
}

Reading reading_of(ArchNotation notation, Request request) {
    Reading reading;
    reading.notation = notation;
    reading.requests.push_back(request);
    return reading;
}

std::optional<Request> read_dotted(std::string_view text) {
    const bool ptx = take_suffix(text, "+PTX");
    const auto arch = parse_dotted_arch(text);
    return arch ? std::optional(Request{*arch, true, ptx}) : std::nullopt;
}

std::optional<Reading> read_torch(std::string_view text) {
    const auto request = read_dotted(text);
    return request ? std::optional(reading_of(ArchNotation::torch, *request)) : std::nullopt;
}

std::optional<Reading> read_cmake(std::string_view text) {
    const bool real = take_suffix(text, "-real");
    const bool only_ptx = !real && take_suffix(text, "-virtual");
    const auto arch = parse_bare_arch(text);
    return arch ? std::optional(reading_of(ArchNotation::cmake, {*arch, !only_ptx, !real})) : std::nullopt;
}

std::optional<Reading> read_nvcc(std::string_view text) {
    const bool sass = text.starts_with("sm_");
    const bool ptx = text.starts_with("compute_");
    const auto arch = sass || ptx ? parse_bare_arch(text.substr(sass ? 3 : 8)) : std::nullopt;
    return arch ? std::optional(reading_of(ArchNotation::nvcc, {*arch, sass, ptx})) : std::nullopt;
}

// What `name` stands for; torch appends `+PTX` to the last arch of it.
Reading expand(const TorchName& name, bool with_ptx) {
    Reading reading;
    reading.name = &name;
    for (const Item& part : split_items(name.meaning, ";", false)) {
        if (const auto request = read_dotted(part.text)) {
            reading.requests.push_back(*request);
        }
    }
    Request& last = reading.requests.back();
    reading.ptx_twice = with_ptx && last.ptx;
    last.ptx = with_ptx || last.ptx;
    return reading;
}

std::optional<Reading> read_name(std::string_view text) {
    for (const TorchName& name : torch_names()) {
        const std::string_view rest = text.substr(std::min(text.size(), name.name.size()));
        if (text.starts_with(name.name) && (rest.empty() || rest == "+PTX")) {
            return expand(name, !rest.empty());
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Item> split_items(std::string_view text, std::string_view separators, bool keep_empty) {
    std::vector<Item> items;
    std::size_t index = 0;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
        if (end > start || keep_empty) {
            index += end > start ? 1 : 0;
            items.push_back({text.substr(start, end - start), start + 1, index});
        }
        start = end + 1;
    }
    return items;
}

ArchSet Request::archs() const {
    return {sass ? std::set<Arch>{arch} : std::set<Arch>{}, ptx ? std::set<Arch>{arch} : std::set<Arch>{}};
}

std::optional<Reading> read_item(std::string_view text) {
    for (const auto reader : {read_torch, read_cmake, read_nvcc, read_name}) {
        if (auto reading = reader(text)) {
            return reading;
        }
    }
    return std::nullopt;
}

std::string spell(const Request& request, ArchNotation notation) {
    if (notation == ArchNotation::nvcc) {
        const std::string sass = request.sass ? sass_name(request.arch) : "";
        const std::string ptx = request.ptx ? ptx_name(request.arch) : "";
        return sass + (request.sass && request.ptx ? ";" : "") + ptx;
    }
    if (notation == ArchNotation::cmake || !request.sass) {
        return bare_name(request.arch) + (!request.ptx ? "-real" : !request.sass ? "-virtual" : "");
    }
    return torch_name(request.arch) + (request.ptx ? "+PTX" : "");
}

std::string spell(const ArchSet& archs, ArchNotation notation) {
    if (notation == ArchNotation::torch) {
        return to_arch_list(archs);
    }
    std::set<Arch> all = archs.sass;
    all.insert(archs.ptx.begin(), archs.ptx.end());
    std::vector<std::string> items;
    std::transform(all.begin(), all.end(), std::back_inserter(items), [&](Arch arch) {
        return spell(Request{arch, archs.sass.contains(arch), archs.ptx.contains(arch)}, notation);
    });
    return fmt::format("{}", fmt::join(items, ";"));
}

}  // namespace wheelarch
