// The inputs of the fuzz targets, and every input that once broke a reader, in the normal test run.
#include <filesystem>

#include <doctest/doctest.h>

#include "base/mapped_file.hpp"
#include "binary/ar.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"
#include "binary/pe.hpp"
#include "support/damage.hpp"
#include "support/device_probe.hpp"

namespace wheelarch {
namespace {

std::filesystem::path corpus() {
    return std::filesystem::path(__FILE__).parent_path().parent_path() / "corpus";
}

// Each reader of the binary layer, whatever the file is.
const std::vector<void (*)(ByteView)> kReaders = {
    [](ByteView bytes) { read_elf(bytes); },
    [](ByteView bytes) { cubin_arch(bytes); },
    [](ByteView bytes) { cubin_has_code(bytes); },
    [](ByteView bytes) { cubin_has_stray_link(bytes); },
    [](ByteView bytes) { read_pe(bytes); },
    [](ByteView bytes) { read_coff_object(bytes); },
    [](ByteView bytes) { read_ar(bytes); },
    [](ByteView bytes) { for_each_region(bytes, [](const FatbinRegion&) {}); },
    [](ByteView bytes) { read_device_code(bytes, FileFormat::fatbin, {}); },
    [](ByteView bytes) { read_bytes(std::string(bytes.text()), {}, "a.obj"); },
    [](ByteView bytes) { read_bytes(std::string(bytes.text()), {.open_all = true}, "a.obj"); },
};

TEST_CASE("each file of the corpus gives an answer or an Error") {
    if (!std::filesystem::exists(corpus())) {
        MESSAGE("skipped: no corpus at ", corpus().string());
        return;
    }
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
        if (!entry.is_regular_file()) {
            continue;
        }
        ++files;
        const MappedFile file(entry.path());
        for (const auto& read : kReaders) {
            const std::string wrong = misbehaviour(std::string(file.view().text()), read);
            CHECK_MESSAGE(wrong.empty(), entry.path().string(), ": ", wrong);
        }
    }
    CHECK(files > 0);
}

}  // namespace
}  // namespace wheelarch
