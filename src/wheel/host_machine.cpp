#include "wheel/host_machine.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "binary/elf.hpp"
#include "binary/pe.hpp"

namespace wheelarch {
namespace {

struct Machine {
    std::string_view name;
    std::uint16_t elf;                      // e_machine
    std::uint16_t pe;                       // Machine; 0 if Windows does not run there
    std::array<std::string_view, 4> tags;   // what a platform tag for it ends in
    std::array<std::string_view, 4> parts;  // what paths call it,
    std::string_view word;                  // and what only counts as a whole word
};

constexpr std::array<Machine, 7> kMachines = {{
    {"x86-64",
     kMachineX86_64,
     kPeMachineX64,
     {"x86_64", "amd64", "universal2"},
     {"x86_64", "x86-64", "amd64", "64bit"},
     "x64"},
    {"x86", 3, 0x014c, {"i686", "i386", "win32"}, {"i386", "i686", "win32", "32bit"}, "x86"},
    {"aarch64",
     kMachineAarch64,
     kPeMachineArm64,
     {"aarch64", "arm64", "arm64_v8a", "universal2"},
     {"aarch64", "arm64"},
     ""},
    {"arm", 40, 0x01c4, {"armv6l", "armv7l", "armeabi_v7a"}, {"armv7", "armhf", "armeabi"}, "arm"},
    {"ppc64le", 21, 0, {"ppc64le"}, {"ppc64le"}, ""},
    {"riscv64", 243, 0, {"riscv64"}, {"riscv64"}, ""},
    {"loongarch64", 258, 0, {"loongarch64"}, {"loongarch64"}, ""},
}};

const Machine* machine_of(const Member& member) {
    const auto is_it = [&](const Machine& machine) {
        return (member.format == FileFormat::elf && machine.elf == member.machine) ||
               (member.format == FileFormat::pe && machine.pe == member.machine && machine.pe != 0);
    };
    const auto found = std::find_if(kMachines.begin(), kMachines.end(), is_it);
    return found == kMachines.end() ? nullptr : &*found;
}

bool is_tag_of(const Machine& machine, std::string_view platform) {
    return std::any_of(machine.tags.begin(), machine.tags.end(), [&](std::string_view tag) {
        return !tag.empty() && (platform == tag || platform.ends_with("_" + std::string(tag)));
    });
}

// As a whole word; `x86` is none in `x86_64`.
bool has_word(std::string_view path, std::string_view word) {
    const auto is_letter = [&](std::size_t at) {
        return at < path.size() && std::isalnum(static_cast<unsigned char>(path[at])) != 0;
    };
    for (std::size_t at = path.find(word); at != std::string_view::npos; at = path.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const std::string_view after = path.substr(end);
        const bool starts = at == 0 || !is_letter(at - 1);
        if (starts && !is_letter(end) && !after.starts_with("_64") && !after.starts_with("-64")) {
            return true;
        }
    }
    return false;
}

bool names(std::string_view path, const Machine& machine) {
    return (!machine.word.empty() && has_word(path, machine.word)) ||
           std::any_of(machine.parts.begin(), machine.parts.end(), [&](std::string_view part) {
               return !part.empty() && path.find(part) != std::string_view::npos;
           });
}

bool is_library(std::string_view file_name) {
    return file_name.ends_with(".so") || file_name.find(".so.") != std::string_view::npos ||
           file_name.ends_with(".pyd") || file_name.ends_with(".dll");
}

// An interpreter loads it by its name, so it must be for the machine of that interpreter.
bool is_extension_module(std::string_view file_name) {
    return file_name.ends_with(".pyd") || file_name.ends_with(".abi3.so") ||
           (file_name.ends_with(".so") && (file_name.find(".cpython-") != std::string_view::npos ||
                                           file_name.find(".pypy") != std::string_view::npos));
}

struct Library {
    const Member* member;
    const Machine* machine;
    bool is_meant;  // its path says that it is for this machine, and no interpreter insists on its own
};

std::vector<Library> libraries_in(const Inventory& inventory) {
    std::vector<Library> libraries;
    for (const Member& member : inventory.members) {
        const std::string path = lower_case(member.path);
        const std::string_view file_name = std::string_view(path).substr(path.rfind('/') + 1);
        const Machine* machine = machine_of(member);
        if (machine != nullptr && !member.excluded && is_library(file_name)) {
            libraries.push_back({&member, machine, names(path, *machine) && !is_extension_module(file_name)});
        }
    }
    return libraries;
}

constexpr char kFix[] =
    "build it for that platform, or give the wheel the platform tag that it is for (`wheel tags --platform-tag`); "
    "--exclude it if it is there on purpose";

std::vector<Finding> check_any(const std::vector<Library>& libraries) {
    std::set<std::pair<FileFormat, const Machine*>> kinds;
    for (const Library& library : libraries) {
        kinds.emplace(library.member->format, library.machine);
    }
    const auto first =
        std::find_if(libraries.begin(), libraries.end(), [](const Library& library) { return !library.is_meant; });
    if (kinds.size() != 1 || first == libraries.end()) {
        return {};
    }
    const std::size_t others = libraries.size() - 1;
    const std::string company =
        others == 0 ? "," : fmt::format(", as {} {},", count_of(others, "other"), others == 1 ? "is" : "are");
    return {{"host-machine", Severity::error, first->member->path,
             fmt::format("built for {}{} but the platform tag of the wheel is any", first->machine->name, company),
             kFix}};
}

// A Windows wheel with nothing but ELF libraries, or the reverse, was named for another system.
std::vector<Finding> check_format(const std::vector<Library>& libraries, const WheelName& name) {
    const auto all_tags = [&](std::string_view part) {
        return std::all_of(name.platform_tags.begin(), name.platform_tags.end(),
                           [&](const std::string& tag) { return tag.find(part) != std::string::npos; });
    };
    const auto is_of = [](FileFormat format) {
        return [format](const Library& library) { return library.member->format == format; };
    };
    const bool windows = all_tags("win_") || all_tags("win32");
    const FileFormat expected = windows ? FileFormat::pe : FileFormat::elf;
    if ((!windows && !all_tags("linux")) || libraries.empty() ||
        std::any_of(libraries.begin(), libraries.end(), is_of(expected))) {
        return {};
    }
    return {{"host-machine", Severity::error, libraries.front().member->path,
             fmt::format("{} library, but the platform tag of the wheel is {}", windows ? "an ELF" : "a PE",
                         fmt::join(name.platform_tags, ".")),
             kFix}};
}

}  // namespace

std::vector<Finding> check_host_machine(const Inventory& inventory, const WheelName& name) {
    const std::vector<Library> libraries = libraries_in(inventory);
    std::set<const Machine*> promised;
    for (const std::string& tag : name.platform_tags) {
        if (tag == "any") {
            return check_any(libraries);
        }
        for (const Machine& machine : kMachines) {
            if (is_tag_of(machine, lower_case(tag))) {
                promised.insert(&machine);
            }
        }
    }
    std::vector<Finding> findings = check_format(libraries, name);
    for (const Library& library : libraries) {
        if (!promised.empty() && !promised.contains(library.machine) && !library.is_meant) {
            findings.push_back({"host-machine", Severity::error, library.member->path,
                                fmt::format("built for {}, but the platform tag of the wheel is {}",
                                            library.machine->name, fmt::join(name.platform_tags, ".")),
                                kFix});
        }
    }
    return findings;
}

}  // namespace wheelarch
