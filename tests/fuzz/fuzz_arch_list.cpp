// Any text as an arch list. Only an Error may come out, and what is read must read the same from its canonical form.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "policy/arch_list.hpp"

namespace {

std::optional<wheelarch::ArchList> parse(std::string_view text) {
    try {
        return wheelarch::parse_arch_list(text, "fuzz");
    } catch (const wheelarch::Error&) {
        return std::nullopt;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto list = parse({reinterpret_cast<const char*>(data), size});
    if (!list) {
        return 0;
    }
    const std::string text = wheelarch::canonical(*list);
    const auto again = parse(text);
    if (!again || again->archs != list->archs || wheelarch::canonical(*again) != text) {
        std::abort();
    }
    return 0;
}
