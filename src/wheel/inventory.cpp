#include "wheel/inventory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "binary/embedded.hpp"
#include "wheel/installed_path.hpp"
#include "wheel/summary.hpp"
#include "wheel/wheel_name.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kInMemory = std::uint64_t{48} << 20;  // larger members go to a temporary file

// `.so.12.1` is one suffix.
std::string_view extension(std::string_view path) {
    const std::string_view file_name = path.substr(path.rfind('/') + 1);
    const std::size_t so = file_name.find(".so.");
    if (so != std::string_view::npos && file_name.find_first_not_of("0123456789.", so + 4) == std::string_view::npos) {
        return file_name.substr(so);
    }
    const std::size_t dot = file_name.rfind('.');
    return dot == std::string_view::npos ? "" : file_name.substr(dot);
}

bool is_mach_o(ByteView head) {
    constexpr std::array<std::uint32_t, 4> kMagics = {0xfeedface, 0xfeedfacf, 0xbebafeca, 0xcafebabe};
    return head.size() >= 4 && std::find(kMagics.begin(), kMagics.end(), head.u32(0, "magic")) != kMagics.end();
}

// Extension modules of Python in a browser are named .so too.
bool is_wasm(ByteView head) {
    return head.starts_with(std::string_view("\0asm", 4));
}

bool is_linker_script(ByteView head) {
    return head.starts_with("/* GNU ld script") || head.starts_with("INPUT") || head.starts_with("GROUP") ||
           head.starts_with("OUTPUT_FORMAT");
}

// A file that by its name holds device code or could, but by its content is nothing we can read, must not pass as one
// without device code.
void refuse_mislabelled(ByteView head, std::string_view path) {
    const std::string_view suffix = extension(path);
    const bool bare_code = suffix == ".cubin" || suffix == ".fatbin" || suffix == ".ptx";
    const bool library =
        suffix == ".so" || suffix.starts_with(".so.") || suffix == ".pyd" || suffix == ".dll" || suffix == ".a";
    if ((bare_code || library) && !is_mach_o(head) && !is_wasm(head) && !is_linker_script(head)) {
        throw unchecked(fmt::format("named {}, but its content is {}", suffix,
                                    head.empty() ? "empty" : "no ELF, PE, fatbin, cubin or PTX"),
                        "build it again, leave it out of the wheel, or name it with --exclude");
    }
}

// Archives inside a wheel are not opened; whoever relies on the verdict has to know.
bool is_packed(ByteView head, std::string_view path) {
    using namespace std::string_view_literals;
    constexpr std::array kMagics = {
        "\x1f\x8b"sv,         "\xfd\x37zXZ"sv, "\x28\xb5\x2f\xfd"sv, "BZh"sv,    "7z\xbc\xaf\x27\x1c"sv,
        "\x04\x22\x4d\x18"sv,  // LZ4 frame
        "\x02\x21\x4c\x18"sv,  // LZ4 as it was before frames
        "\x4c\x5a\x49\x50"sv,  // lzip
        "Rar!\x1a\x07"sv,     "\x1f\x9d"sv,    "MSCF\0\0\0\0"sv,     "070701"sv, "\x89LZO"sv};
    const bool is_tar = head.clipped(257, 5).text() == "ustar";
    // The properties, and a dictionary of 2^n or 2^n + 2^(n-1) bytes; the size follows, or 8 bytes 0xff. It has no
    // magic.
    const bool is_lzma = head.size() > 13 && head.starts_with("\x5d\0\0"sv) &&
                         (path.ends_with(".lzma") || head.u8(12, "size") == 0xff || head.u8(12, "size") == 0);
    return is_zip(head) || is_tar || is_lzma ||
           std::any_of(kMagics.begin(), kMagics.end(), [&](std::string_view magic) { return head.starts_with(magic); });
}

// What people take for a wheel, or give by mistake. It must not be judged as if it were one.
void refuse_other_packages(ByteView file, std::string_view name) {
    if (name.ends_with(".whl")) {
        return;
    }
    const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
    if (ends(".conda") || (ends(".tar.bz2") && file.starts_with("BZh"))) {
        throw unchecked("a conda package, not a wheel",
                        "give the wheel; of a conda package, unpack it and give its libraries");
    }
    if (ends(".tar.gz") || ends(".tgz") || ends(".tar")) {
        throw unchecked("a source distribution or another tar archive, not a wheel",
                        "build the wheel from it, and give the wheel");
    }
    if (is_zip(file)) {
        throw unchecked("a zip archive, but not a wheel: its name does not end in .whl",
                        "give the wheel by its own name, or unpack the archive and give its libraries");
    }
    if (is_packed(file, name)) {
        throw unchecked("a compressed file, not a wheel", "unpack it, and give what is in it");
    }
}

class Taker {
public:
    Taker(const std::filesystem::path& path, const InventoryOptions& options) : options_(options) {
        inventory_.path = path;
        inventory_.file_name = path.filename().string();
    }

    Inventory take() {
        const MappedFile file(inventory_.path);
        inventory_.size = file.view().size();
        refuse_other_packages(file.view(), inventory_.file_name);
        if (inventory_.file_name.ends_with(".whl")) {
            take_wheel(file.view());
        } else {
            take_file(file.view());
        }
        return std::move(inventory_);
    }

private:
    void take_file(ByteView bytes) {
        const FileFormat format = recognize(bytes.clipped(0, kHeadSize), inventory_.file_name);
        if (format == FileFormat::other) {
            throw unchecked("not a file that can hold device code",
                            "give a wheel, .so, .pyd, .dll, .a, .o, .fatbin, .cubin or .ptx");
        }
        add(inventory_.file_name, format,
            MemberSource(bytes, std::filesystem::absolute(inventory_.path), folder(), release_pages));
    }

    void take_wheel(ByteView bytes) {
        inventory_.is_wheel = true;
        if (inventory_.file_name.ends_with(".whl")) {
            inventory_.distribution = parse_wheel_name(inventory_.file_name).distribution;
        }
        const std::vector<ZipMember> members = read_zip(bytes);
        if (members.empty()) {
            throw unchecked("the archive is empty", "find out why the build packed nothing");
        }
        for (const ZipMember& member : members) {
            if (!member.is_directory()) {
                take_member(member);
            }
        }
        claim_repaired();
        note_packed();
    }

    // Where nothing else in the wheel has device code, what lies in `*.libs/` is the package's own.
    void claim_repaired() {
        const auto is_ours = [](const Member& member) { return member.role == Role::extension; };
        if (std::any_of(inventory_.members.begin(), inventory_.members.end(), is_ours)) {
            return;
        }
        for (Member& member : inventory_.members) {
            if (member.role == Role::vendored && is_repaired_in(member.path) && !is_foreign(member.path)) {
                member.role = Role::extension;
                member.findings.push_back(
                    {"repaired-library",
                     Severity::notice,
                     {},
                     "taken for the package's own, since nothing outside of *.libs/ has device code",
                     "name it with --exclude if it is not"});
            }
        }
    }

    void take_member(const ZipMember& member) {
        try {
            read_if_code(member);
        } catch (const Error& error) {
            const std::string path = shown_path(member.name);
            if (!matches_any(options_.exclude, path)) {
                throw;
            }
            if (options_.hash_members &&
                (inventory_.digests.empty() || inventory_.digests.back().name != member.name)) {
                read(member, [](ByteView) {});
            }
            inventory_.findings.push_back({"unread-member",
                                           Severity::notice,
                                           path,
                                           fmt::format("excluded, and could not be read: {}", error.problem()),
                                           {}});
        }
    }

    void read_if_code(const ZipMember& member) {
        const std::string head = read_head(member, kHeadSize);
        const ByteView view(head);
        const std::string path = shown_path(member.name);
        const FileFormat format = inside(member.name, [&] { return recognize(view, member.name); });
        const auto check_only = [](ByteView) {};  // size and CRC-32
        if (format == FileFormat::other) {
            if (is_packed(view, member.name)) {
                packed_.push_back(member.name);
            }
            EmbeddedScout scout;
            read(member, [&](ByteView piece) { scout.add(piece); });
            if (!scout.may_hold_code()) {
                return;
            }
            hashed_ = true;
        }
        if (member.method == 0) {
            read(member, check_only);
            const ByteView content(member.data.data(), member.data.size());  // offsets count from its own start
            add(path, format, MemberSource(content, {}, folder(), release_pages));
        } else if (member.size <= kInMemory) {
            take_into_memory(member, path, format);
        } else {
            take_into_file(member, path, format);
        }
    }

    // Hands on all of a member, and hashes it on the way if that is wanted.
    template <typename Take>
    void read(const ZipMember& member, const Take& take) {
        Sha256 hash;
        const bool wants_hash = options_.hash_members && !std::exchange(hashed_, false);
        read_member(
            member,
            [&](ByteView piece) {
                if (wants_hash) {
                    hash.add(piece);
                }
                take(piece);
                return true;
            },
            release_pages);
        if (wants_hash) {
            inventory_.digests.push_back({member.name, member.size, member.crc32, hash.finish()});
        }
    }

    void take_into_memory(const ZipMember& member, const std::string& path, FileFormat format) {
        buffer_.clear();
        buffer_.reserve(static_cast<std::size_t>(member.size));
        read(member, [&](ByteView piece) { buffer_ += piece.text(); });
        add(path, format, MemberSource(ByteView(buffer_), {}, folder(), [](ByteView) {}));
    }

    void take_into_file(const ZipMember& member, const std::string& path, FileFormat format) {
        ScratchFile spill(folder());
        read(member, [&](ByteView piece) { spill.append(piece); });
        const MappedFile mapped = spill.map();
        add(path, format, MemberSource(mapped.view(), spill.path(), folder(), release_pages));
    }

    void add(const std::string& name, FileFormat format, const MemberSource& source) {
        inside(name == inventory_.file_name ? std::string() : name, [&] {
            const bool search = inventory_.is_wheel || options_.search;
            DeviceCode code = read_device_code(source.bytes(), format, {options_.keep_images, search, source.done()});
            Member member = summarize(code, source.bytes());
            const bool holds_none = code.images.empty() && code.bitcode == 0 && !code.amd;
            if (format == FileFormat::other && holds_none) {
                return;
            }
            member.path = name;
            member.size = source.bytes().size();
            member.excluded = matches_any(options_.exclude, name);
            member.counted_role = role_of(member);
            member.role = member.image_count == 0 ? Role::host : member.counted_role;
            if (member.counted_role == Role::extension) {
                note_outside(member);
            }
            if (format == FileFormat::other) {
                member.witnesses = {"native"};
            } else if (options_.second_witness) {
                options_.second_witness(source, as_cuobjdump_lists(std::move(code)), member);
            }
            if (!options_.keep_images) {
                member.images.clear();
                member.regions.clear();
            }
            inventory_.members.push_back(std::move(member));
        });
    }

    Role role_of(const Member& member) const {
        if (matches_any(options_.include, member.path)) {
            return Role::extension;
        }
        const bool vendored = is_foreign(member.path) || (inventory_.is_wheel && is_repaired_in(member.path));
        return vendored ? Role::vendored : Role::extension;
    }

    bool is_foreign(std::string_view path) const {
        return matches_any(options_.exclude, path) ||
               (inventory_.is_wheel && is_runtime(path, inventory_.distribution));
    }

    void note_packed() {
        if (!packed_.empty()) {
            inventory_.findings.push_back(
                {"packed-members",
                 Severity::notice,
                 {},
                 fmt::format("{} compressed member{} not looked into, {} first", packed_.size(),
                             packed_.size() == 1 ? " was" : "s were", packed_.front()),
                 {}});
        }
    }

    std::filesystem::path folder() const { return inventory_.path.parent_path(); }

    const InventoryOptions& options_;
    Inventory inventory_;
    std::string buffer_;
    std::vector<std::string> packed_;
    bool hashed_ = false;  // the member that is read next was hashed when it was read before
};

}  // namespace

FileFormat recognize(ByteView head, std::string_view path) {
    const FileFormat format = detect_format(head, path);
    if (format == FileFormat::other) {
        refuse_mislabelled(head, path);
    }
    return format;
}

std::filesystem::path MemberSource::file() const {
    if (!path_.empty()) {
        return path_;
    }
    if (!written_) {
        written_ = std::make_unique<ScratchFile>(beside_);
        written_->append(bytes_);
    }
    return written_->path();
}

Inventory take_inventory(const std::filesystem::path& path, const InventoryOptions& options) {
    return inside(path.filename().string(), [&] { return Taker(path, options).take(); });
}

void count_embedded(Inventory& inventory) {
    for (Member& member : inventory.members) {
        if (member.embedded.images == 0) {
            continue;
        }
        member.archs.add(member.embedded.archs);
        member.kernelless_archs = minus(member.kernelless_archs, member.archs);
        member.image_count += std::exchange(member.embedded, {}).images;
        member.role = member.counted_role;
        std::erase_if(member.findings, [](const Finding& finding) { return finding.rule == "embedded-code"; });
    }
}

std::string place_of(const Inventory& inventory, const Member& member) {
    return inventory.is_wheel ? inventory.file_name + " → " + member.path : inventory.file_name;
}

std::vector<Finding> all_findings(const Inventory& inventory) {
    std::vector<Finding> findings = inventory.findings;
    for (const Member& member : inventory.members) {
        for (Finding finding : member.findings) {
            finding.place = place_of(inventory, member);
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

ArchSet observed(const Inventory& inventory) {
    ArchSet archs;
    for (const Member& member : inventory.members) {
        if (member.role == Role::extension) {
            archs.add(member.archs);
        }
    }
    return archs;
}

}  // namespace wheelarch
