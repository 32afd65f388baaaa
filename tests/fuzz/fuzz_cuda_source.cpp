// Any bytes as a CUDA source that includes itself: read, shown to the rules about device code, read again for its
// calls, and shown again. Nothing may come out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lint/arch_mask.hpp"
#include "lint/device/device_facts.hpp"
#include "lint/rule.hpp"

namespace {

void show_to_rules(const wheelarch::SourceFile& file, wheelarch::DevicePackage& package) {
    using namespace wheelarch;
    std::vector<LintHit> hits;
    for (const Rule* rule : rules()) {
        if (rule->in_device_code != nullptr) {
            rule->in_device_code(package.facts(file), hits);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-identifier-naming)
    using namespace wheelarch;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const SourceFile file{"a.cu", text, SourceFile::Language::cuda};
    const SourceFile header{"b.h", text.substr(size / 2), SourceFile::Language::cpp};
    DevicePackage package([&](const std::string& path) { return path == "a.cu" ? &file : &header; });
    show_to_rules(file, package);
    package.narrow({file, header}, [&](const SourceFile& one) { return one.path == file.path; });
    show_to_rules(file, package);
    return 0;
}
