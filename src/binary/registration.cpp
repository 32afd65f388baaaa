#include "binary/registration.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/elf_pointers.hpp"
#include "binary/fatbin.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

constexpr std::uint64_t kWrapper = 24;
constexpr std::uint32_t kMagic = 0x466243B1;
constexpr std::uint32_t kMostVersion = 15;  // 1 and 2 are known
constexpr std::uint64_t kPointer = 8;
constexpr std::uint64_t kWord = 8;
constexpr std::string_view kSegment = ".nvFatBinSegment";

bool is_wrapper(ByteView file, std::uint64_t offset) {
    const ByteView head = file.clipped(offset, kPointer);
    if (head.size() < kPointer || head.u32(0, "magic") != kMagic) {
        return false;
    }
    const std::uint32_t version = head.u32(4, "version");
    return version > 0 && version <= kMostVersion;
}

// What a wrapper points to: an address, or a symbol of another file.
struct Target {
    std::optional<std::uint64_t> address;
    std::string symbol;
};

// Wrappers by their address, and what of the runtime is imported.
class Found {
public:
    explicit Found(ByteView file) : file_(file) {}

    void name(std::string_view symbol) {
        registration_.calls_cuda = registration_.calls_cuda || symbol.starts_with("__cudaRegisterFatBinary");
        registration_.calls_hip = registration_.calls_hip || symbol.starts_with("__hipRegisterFatBinary");
    }

    // A pointer at `address`, which lies at `offset` of the file.
    void pointer(std::uint64_t address, std::uint64_t offset, Target target) {
        if (offset >= kPointer && is_wrapper(file_, offset - kPointer)) {
            wrappers_.insert_or_assign(address - kPointer, std::move(target));
        }
    }

    // A wrapper whose pointer is as it stands in the file, unless a relocation told it already.
    void stored(std::uint64_t address, std::uint64_t offset) {
        if (!wrappers_.contains(address)) {
            wrappers_[address] = {file_.u64(offset + kPointer, "a wrapper's pointer"), {}};
        }
    }

    // Nothing but wrappers and padding is in a segment of this name.
    void segment(std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
        for (std::uint64_t at = 0; at + kWrapper <= size;) {
            if (is_wrapper(file_, offset + at)) {
                stored(address + at, offset + at);
                at += kWrapper;
            } else if (file_.u64(offset + at, "padding") == 0) {
                at += kWord;
            } else {
                throw unchecked("a fatbin wrapper without its magic", kDamaged).at(file_.origin() + offset + at);
            }
        }
    }

    // Wrappers anywhere in data.
    void data(std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
        const unsigned char first = kMagic & 0xffU;
        const ByteView bytes = file_.clipped(offset, size);
        for (std::uint64_t at = 0; at + kWrapper <= bytes.size(); at += 4) {
            const void* hit = std::memchr(bytes.data() + at, first, static_cast<std::size_t>(bytes.size() - at));
            if (hit == nullptr) {
                return;
            }
            at = static_cast<std::uint64_t>(static_cast<const unsigned char*>(hit) - bytes.data());
            if (at % 4 == 0 && at + kWrapper <= bytes.size() && is_wrapper(file_, offset + at)) {
                stored(address + at, offset + at);
            }
            at -= at % 4;
        }
    }

    // `to_offset` says where an address lies in the file.
    template <typename ToOffset>
    Registration finish(const ToOffset& to_offset) {
        std::set<std::uint64_t> seen;
        for (const auto& [address, target] : wrappers_) {
            const std::optional<std::uint64_t> offset = target.address ? to_offset(*target.address) : std::nullopt;
            if (!offset || !is_fatbin(file_.clipped(*offset, kWord))) {
                throw unresolved(address, target);
            }
            if (seen.insert(*offset).second) {
                registration_.regions.push_back(*offset);
            }
        }
        return std::move(registration_);
    }

private:
    static Error unresolved(std::uint64_t address, const Target& target) {
        const std::string what = target.address ? fmt::format("address {:#x}", *target.address)
                                                : fmt::format("'{}' of another file", target.symbol);
        return unchecked(
            fmt::format("the wrapper at address {:#x} registers {}, where this file has no fatbin", address, what),
            "build it again; if this is how it should be, name it with --exclude, since what it registers cannot be "
            "told");
    }

    ByteView file_;
    std::map<std::uint64_t, Target> wrappers_;
    Registration registration_;
};

bool is_segment(std::string_view name) {
    return name == kSegment || name == kSegment.substr(0, 8);  // PE images keep 8 bytes
}

}  // namespace

Registration find_registration(ByteView file, const Elf& elf) {
    Found found(file);
    const auto to_offset = [&](std::uint64_t address) { return find_file_offset(elf, address); };
    visit_pointers(file, elf, [&](const ElfPointer& pointer) {
        if (!pointer.symbol.empty()) {
            found.name(pointer.symbol);
        }
        if (const auto offset = to_offset(pointer.address)) {
            found.pointer(pointer.address, *offset, {pointer.value, std::string(pointer.symbol)});
        }
    });
    for (const ElfSegment& segment : elf.load_segments) {
        for (const ElfSection& section : elf.sections) {
            const std::uint64_t offset = section.bytes.origin() - file.origin();
            if (section.name == kSegment && !section.bytes.empty() && offset >= segment.offset &&
                offset - segment.offset < segment.filesz) {
                found.segment(segment.vaddr + (offset - segment.offset), offset,
                              std::min(section.bytes.size(), segment.filesz - (offset - segment.offset)));
            }
        }
        if (segment.writable && elf.type == kTypeExecutable) {
            found.data(segment.vaddr, segment.offset, segment.filesz);
        }
    }
    return found.finish(to_offset);
}

Registration find_registration(ByteView file, const Pe& pe) {
    Found found(file);
    const auto to_offset = [&](std::uint64_t address) { return find_file_offset(file, pe, address); };
    visit_imports(file, pe, [&](std::string_view name) { found.name(name); });
    bool relocated = false;
    visit_pointers(file, pe, [&](const PePointer& pointer) {
        relocated = true;
        found.pointer(pointer.address, *to_offset(pointer.address), {pointer.value, {}});
    });
    for (const PeSection& section : pe.sections) {
        const std::uint64_t address = pe.image_base + section.virtual_address;
        const std::uint64_t offset = section.bytes.origin() - file.origin();
        if (is_segment(section.name)) {
            found.segment(address, offset, section.bytes.size());
        } else if (section.writable && !relocated) {
            found.data(address, offset, section.bytes.size());
        }
    }
    return found.finish(to_offset);
}

}  // namespace wheelarch
