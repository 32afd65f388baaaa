#include "report/text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/names.hpp"
#include "report/wording.hpp"

namespace wheelarch {
namespace {

std::string human_size(std::uint64_t size) {
    constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB"};
    double value = static_cast<double>(size);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", size) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

// `{75,80,90+PTX}`; PTX without SASS of its arch is `ptx90`.
std::string braces(const ArchSet& archs) {
    std::vector<std::string> items;
    for (const Arch arch : archs.sass) {
        items.push_back(bare_name(arch) + (archs.ptx.contains(arch) ? "+PTX" : ""));
    }
    for (const Arch arch : archs.ptx) {
        if (!archs.sass.contains(arch)) {
            items.push_back("ptx" + bare_name(arch));
        }
    }
    return fmt::format("{{{}}}", fmt::join(items, ","));
}

std::string profile_text(const Member& member) {
    constexpr std::size_t kShown = 6;
    std::vector<std::string> items;
    for (const Profile& profile : member.profiles) {
        items.push_back(
            fmt::format("{}{}×{}", profile.relocatable ? "relocatable " : "", braces(profile.archs), profile.regions));
    }
    return enumerate(items, kShown);
}

std::string image_count_text(const Member& member) {
    const std::string kernelless =
        member.kernelless_count == 0 ? "" : fmt::format(" ({} without a kernel)", member.kernelless_count);
    return fmt::format("{}{} in {}", count_of(member.image_count, "image"), kernelless,
                       count_of(member.region_count, "region"));
}

// The section, and what it is if it is not registered.
std::string state_text(const Member& member, const Image& image) {
    const std::string& section = member.sections[image.section];
    return member.regions[image.region].state == RegionState::unregistered ? section + " not registered" : section;
}

void add_outside(std::string& out, const Member& member) {
    const auto line = [&](std::string_view what, const OutsideCode& code) {
        if (code.images > 0) {
            out += fmt::format("      {}: {}; {} in {}\n", what, to_text(code.archs), count_of(code.images, "image"),
                               count_of(code.regions, "place"));
        }
    };
    line("not registered", member.unregistered);
    line("in its data", member.embedded);
    if (member.bitcode > 0) {
        out += fmt::format("      in its data: LLVM bitcode or LTO-IR, {}\n", count_of(member.bitcode, "piece"));
    }
    if (member.amd) {
        out += "      code for AMD GPUs, not read\n";
    }
}

bool has_outside(const Member& member) {
    return member.unregistered.images > 0 || member.embedded.images > 0 || member.bitcode > 0 || member.amd;
}

void add_images(std::string& out, const Member& member) {
    for (const Image& image : member.images) {
        out +=
            fmt::format("      region {:<5} {:<6} {:<13} {:>10} B  {:<5}{}{}  {}\n", image.region + 1, name(image.kind),
                        target_name(image), image.size, name(image.compression), image.kernelless ? " kernel-less" : "",
                        image.debug ? " debug" : "", printable(state_text(member, image)));
    }
}

void add_member(std::string& out, const Member& member, bool images) {
    out += fmt::format("  {:<9} {}  {}, {}\n", name(member.role), printable(member.path), name(member.format),
                       human_size(member.size));
    out += fmt::format("      {}; {}\n", to_text(member.archs), image_count_text(member));
    add_outside(out, member);
    if (!member.profiles.empty()) {
        out += fmt::format("      {}\n", profile_text(member));
    }
    if (images) {
        add_images(out, member);
    }
}

// Hosts are many and all alike: only their number is given.
void add_members(std::string& out, const Inventory& inventory, bool images) {
    std::size_t hosts = 0;
    for (const Member& member : inventory.members) {
        if (member.region_count == 0 && !has_outside(member)) {
            ++hosts;
        } else {
            add_member(out, member, images);
        }
    }
    if (hosts > 0) {
        out += fmt::format("  host      {} without device code\n",
                           hosts == 1 ? "1 binary" : fmt::format("{} binaries", hosts));
    }
}

void add_fix(std::string& out, std::string_view fix) {
    if (!fix.empty()) {
        out += "    fix: " + printable(for_reader(fix)) + '\n';
    }
}

}  // namespace

std::string inventory_text(const Inventory& inventory, bool images) {
    std::string out =
        fmt::format("{}  {}, {}\n", printable(inventory.file_name), format_name(inventory), human_size(inventory.size));
    out += fmt::format("  holds     {}\n", to_text(observed(inventory)));
    out += fmt::format("  witnesses {}\n", fmt::join(witnesses(inventory), ", "));
    add_members(out, inventory, images);
    out += findings_text(all_findings(inventory));
    return out;
}

std::string verdict_text(const Inventory& inventory, const Verdict& verdict) {
    std::string out = fmt::format("{}: {}\n", printable(inventory.file_name),
                                  verdict.match     ? "match"
                                  : verdict.refused ? "REFUSED"
                                                    : "MISMATCH");
    out += fmt::format("  requested {}\n  observed  {}\n", to_text(verdict.requested), to_text(verdict.observed));
    if (!verdict.missing.empty()) {
        out += fmt::format("  missing   {}\n", to_text(verdict.missing));
    }
    if (!verdict.extra.empty()) {
        out += fmt::format("  extra     {}\n", to_text(verdict.extra));
    }
    out += fmt::format("  witnesses {}\n", fmt::join(witnesses(inventory), ", "));
    add_members(out, inventory, false);
    out += findings_text(verdict.findings);
    return out;
}

std::string coverage_text(const std::vector<Coverage>& coverage) {
    std::string out;
    for (const Coverage& line : coverage) {
        const std::string by =
            !line.by ? "" : " by " + (line.reach == Reach::jit ? ptx_name(*line.by) : sass_name(*line.by));
        out += fmt::format("  {:<6} {:<12}{:<16}  {}{}\n", torch_name(line.gpu.capability), name(line.reach), by,
                           printable(line.gpu.name), line.gpu.embedded ? " (embedded)" : "");
    }
    return out;
}

std::string findings_text(const std::vector<Finding>& findings) {
    std::string out;
    for (const Finding& finding : findings) {
        out += fmt::format("{}[{}] {}{}{}\n", name(finding.severity), finding.rule, printable(finding.place),
                           finding.place.empty() ? "" : ": ", printable(for_reader(finding.message)));
        add_fix(out, finding.fix);
    }
    return out;
}

std::string error_text(const Error& error) {
    std::string out = "error: " + printable(for_reader(error.what())) + '\n';
    add_fix(out, error.fix());
    return out;
}

}  // namespace wheelarch
