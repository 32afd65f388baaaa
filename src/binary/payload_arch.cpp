#include "binary/payload_arch.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/cubin.hpp"
#include "binary/ptx.hpp"

namespace wheelarch {
namespace {

// What the cubin was built for, where it differs from `filed`.
std::optional<Arch> other_arch_of_cubin(Arch filed, ByteView cubin) {
    const auto number = cubin_number(cubin);
    if (!number) {
        return std::nullopt;
    }
    if (*number != filed.number) {
        return Arch{*number, '\0'};
    }
    const Arch built = cubin_arch(cubin);
    if (built.suffix == filed.suffix || (filed.suffix == 'f' && built.suffix == '\0') || cubin_is_tile(cubin)) {
        return std::nullopt;
    }
    return built;
}

std::optional<Arch> other_arch_of_ptx(Arch filed, ByteView ptx) {
    try {
        const Arch written = ptx_arch(ptx);
        return written == filed ? std::nullopt : std::optional(written);
    } catch (const Error&) {
        return std::nullopt;  // no `.target` in this head, or none at all: then it compiles for nothing
    }
}

}  // namespace

std::optional<Finding> header_difference(ImageKind kind, Arch filed, std::uint64_t offset, ByteView payload) {
    const bool is_ptx = kind == ImageKind::ptx;
    const auto other = is_ptx ? other_arch_of_ptx(filed, payload) : other_arch_of_cubin(filed, payload);
    if (!other) {
        return std::nullopt;
    }
    const std::string what = is_ptx ? fmt::format("but its PTX says .target {}", sass_name(*other))
                                    : fmt::format("but its cubin was built for {}", sass_name(*other));
    return Finding{"header-differs",
                   Severity::warning,
                   {},
                   fmt::format("the image at offset {:#x} is filed as {}, {}; the driver goes by the former", offset,
                               is_ptx ? ptx_name(filed) : sass_name(filed), what),
                   fmt::format("pack the {} under its own arch", is_ptx ? "PTX" : "cubin")};
}

bool has_header_difference(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.rule == "header-differs"; });
}

}  // namespace wheelarch
