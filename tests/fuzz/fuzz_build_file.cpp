// Any bytes as a build file of each language that lint reads, shown to the rules about build files, and asked for the
// sources and archs that it names. The first byte chooses the language. Nothing may come out.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lint/build/build_settings.hpp"
#include "lint/build/file_targets.hpp"
#include "lint/build/named_sources.hpp"
#include "lint/rule.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-identifier-naming)
    using namespace wheelarch;
    using Language = SourceFile::Language;
    struct Kind {
        const char* path;
        Language language;
    };
    constexpr Kind kKinds[] = {{"setup.py", Language::python},      {"CMakeLists.txt", Language::cmake},
                               {"build.sh", Language::shell},       {"pyproject.toml", Language::toml},
                               {"build.yml", Language::yaml},       {"Makefile", Language::makefile},
                               {"Dockerfile", Language::dockerfile}};
    if (size == 0) {
        return 0;
    }
    // Without such a word a file has nothing to say, and is not read.
    const std::string text = "# CUDA_ARCH\n" + std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Kind& kind = kKinds[data[0] % std::size(kKinds)];
    const SourceFile file{kind.path, text, kind.language};
    const std::vector<BuildSetting> settings = build_settings(file);
    std::vector<LintHit> hits;
    for (const Rule* rule : rules()) {
        if (rule->in_build_file != nullptr) {
            rule->in_build_file(settings, hits);
        }
    }
    named_sources(file);
    FileTargets targets;
    if (kind.language == Language::cmake) {
        targets.add_script(file.path, file.text);
    }
    targets.passes("csrc/a.cu");
    return 0;
}
