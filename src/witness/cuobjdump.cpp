#include "witness/cuobjdump.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/process.hpp"
#include "witness/toolkit.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoDeviceCode = "does not contain device code";
constexpr int kNoDeviceCodeExit = 255;
constexpr const char* kHowToGet =
    "install it (PyPI nvidia-cuda-cuobjdump, apt cuda-cuobjdump-13-0, conda cuda-cuobjdump), name it with --cuobjdump, "
    "or choose --witness native";

// The line "Cuda compilation tools, release 13.0, V13.0.85".
CudaVersion ask_version(const fs::path& program) {
    const ProcessResult result = run_program(program, {"--version"}, {std::chrono::seconds(60), 1 << 16});
    constexpr std::string_view kMark = ", release ";
    const std::size_t at = result.output.find(kMark);
    const std::size_t start = at + kMark.size();
    const std::size_t end = at == std::string::npos ? at : result.output.find(',', start);
    if (result.exit_code != 0 || end == std::string::npos) {
        throw unchecked(fmt::format("{} --version does not answer as cuobjdump does", program.string()), kHowToGet);
    }
    return parse_cuda_version(std::string_view(result.output).substr(start, end - start));
}

[[noreturn]] void not_understood(std::string_view line) {
    throw unchecked(fmt::format("cuobjdump printed a line that is not understood: '{}'", line.substr(0, 200)),
                    "report it with the CUDA version; --witness native does without cuobjdump");
}

// "ELF file    1: input.1.sm_80.cubin", "PTX file    1: input.1.sm_90a.ptx".
Listed parse_line(std::string_view line) {
    const bool is_ptx = line.starts_with("PTX file ");
    const std::string_view suffix = is_ptx ? ".ptx" : ".cubin";
    constexpr std::string_view kMark = ".sm_";
    const std::size_t mark = line.rfind(kMark);
    if ((!is_ptx && !line.starts_with("ELF file ")) || !line.ends_with(suffix) || mark == std::string_view::npos) {
        not_understood(line);
    }
    const std::size_t start = mark + kMark.size();
    const auto arch = start + suffix.size() > line.size()
                          ? std::nullopt
                          : parse_bare_arch(line.substr(start, line.size() - suffix.size() - start));
    if (!arch) {
        not_understood(line);
    }
    return {is_ptx ? ImageKind::ptx : ImageKind::sass, *arch};
}

std::vector<Listed> parse_lists(std::string_view output) {
    std::vector<Listed> images;
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        line = line.substr(0, line.find_last_not_of('\r') + 1);  // as Windows ends lines
        if (!line.empty() && !line.starts_with("member ")) {
            images.push_back(parse_line(line));
        }
    }
    return images;
}

std::string_view first_line(std::string_view text) {
    return text.substr(0, std::min<std::size_t>(text.find('\n'), 300));
}

// "cuobjdump fatal   : Support for 'sm_35' has been removed"
std::optional<std::uint32_t> removed_arch(std::string_view said) {
    constexpr std::string_view kBefore = "Support for 'sm_";
    const std::size_t at = said.find(kBefore);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = said.substr(at + kBefore.size());
    const std::size_t end = rest.find('\'');
    const auto arch = end != std::string_view::npos && rest.substr(end).starts_with("' has been removed")
                          ? parse_bare_arch(rest.substr(0, end))
                          : std::nullopt;
    return arch ? std::optional(arch->number) : std::nullopt;
}

}  // namespace

std::optional<Cuobjdump> find_cuobjdump(const std::string& given) {
    if (!given.empty()) {
        return Cuobjdump{given, ask_version(given)};
    }
    for (const fs::path& folder : toolkit_folders("cuobjdump")) {
        const fs::path program = folder / program_file("cuobjdump");
        std::error_code ignored;
        if (fs::is_regular_file(program, ignored)) {
            return Cuobjdump{program, ask_version(program)};
        }
    }
    return std::nullopt;
}

std::vector<Listed> list_images(const Cuobjdump& cuobjdump, const fs::path& file) {
    const ProcessResult result =
        run_program(cuobjdump.program, {"--list-elf", "--list-ptx", "-all", file.string()}, {cuobjdump.time_limit});
    const std::string version = to_text(cuobjdump.version);
    if (result.timed_out || result.crashed || result.cut) {
        throw unchecked(
            fmt::format("cuobjdump {} {}", version,
                        result.timed_out ? fmt::format("did not end within {} s", cuobjdump.time_limit.count())
                        : result.crashed ? "crashed"
                                         : "printed more than is read"),
            "--witness native does without cuobjdump");
    }
    const std::string said = result.error + result.output;  // the one for Windows says it on standard output
    if (result.exit_code == kNoDeviceCodeExit && said.find(kNoDeviceCode) != std::string::npos) {
        return {};
    }
    const bool invalid_elf = said.find("Invalid ELF") != std::string::npos;
    if (invalid_elf || result.exit_code != 0) {
        const std::string what = invalid_elf ? fmt::format("cuobjdump {} finds an invalid ELF in it", version)
                                             : fmt::format("cuobjdump {} failed with exit code {}: {}", version,
                                                           result.exit_code, first_line(result.error));
        Refused refused(ExitCode::unchecked, what,
                        "the file is damaged, or not for this version of cuobjdump; --witness native does without it");
        refused.invalid_elf = invalid_elf;
        refused.removed = removed_arch(said);
        throw refused;
    }
    return parse_lists(result.output);
}

}  // namespace wheelarch
