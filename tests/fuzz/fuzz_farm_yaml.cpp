// Any text as a package's YAML. Only an Error may come out; and a list that got its PTX tail keeps it as it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "policy/package.hpp"
#include "policy/resolve.hpp"
#include "policy/yaml.hpp"

namespace {

void check_tail(const wheelarch::ListAndTable& lists) {
    if (lists.list) {
        const std::string once = wheelarch::with_ptx_tail(lists.list->value);
        if (wheelarch::with_ptx_tail(once) != once) {
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const auto node = wheelarch::parse_yaml(text, std::make_shared<const std::string>("fuzz.yml"));
        for (const auto layout : {wheelarch::Layout::flat, wheelarch::Layout::split}) {
            check_tail(wheelarch::read_package(*node, "fuzz", layout).archs);
        }
    } catch (const wheelarch::Error&) {
        return 0;
    }
    return 0;
}
