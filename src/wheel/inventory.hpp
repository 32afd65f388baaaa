// Inventory: what device code a file holds, member by member. It is the answer that everything above uses.
//
// A wheel (any zip) is walked without being unpacked: each member is looked at by content, whatever it is called, and
// those that may hold device code are inflated one at a time, into memory if they are small, else into a nameless
// temporary file. Any other file is its own only member.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"
#include "base/scratch.hpp"
#include "base/sha256.hpp"
#include "binary/device_code.hpp"
#include "wheel/role.hpp"

namespace wheelarch {

// Regions of one file that hold the same archs.
struct Profile {
    ArchSet archs;
    bool relocatable = false;
    std::uint64_t regions = 0;
};

// A region that lacks an arch which other regions of its kind in the same file have.
struct NarrowRegion {
    std::uint64_t number = 0;  // from 1
    std::uint64_t offset = 0;  // in the member
    ArchSet lacks;
    std::string function;  // the mangled name of one in it, by which its source is found; may be empty
};

// Code of a member that the CUDA runtime does not register.
struct OutsideCode {
    std::uint64_t regions = 0;  // bare cubins count as one
    std::uint64_t images = 0;   // SASS and PTX
    std::uint64_t offset = 0;   // of the first in the member
    ArchSet archs;
};

struct Member {
    std::string
        path;  // as installed (shown_path() of its name in the wheel); the file's own name if it is no container
    Role role = Role::host;
    FileFormat format = FileFormat::other;
    std::uint16_t machine = 0;
    std::uint64_t size = 0;
    bool excluded = false;  // by InventoryOptions::exclude

    ArchSet archs;              // of images that hold code
    ArchSet kernelless_archs;   // archs that only kernel-less images are for
    ArchSet relocatable_archs;  // those of `archs` that are in relocatable code only, in a file that has linked code
    std::uint64_t image_count = 0;       // SASS and PTX
    std::uint64_t kernelless_count = 0;  // of these
    std::uint64_t region_count = 0;
    std::vector<Profile> profiles;             // most regions first
    std::vector<NarrowRegion> narrow_regions;  // at most kMaxNarrowRegions
    std::uint64_t narrow_count = 0;

    OutsideCode unregistered;        // regions that no wrapper leads to, if their images hold code
    OutsideCode embedded;            // found by searching its data
    std::uint64_t bitcode = 0;       // pieces of LLVM bitcode or LTO-IR in its data
    bool amd = false;                // it has code for AMD devices, which is not read
    Role counted_role = Role::host;  // what it is where all of this counts

    std::vector<std::string> sections;  // names, for Image::section
    std::vector<Region> regions;        // for Image::region, if InventoryOptions::keep_images
    std::vector<Image> images;          // only if InventoryOptions::keep_images
    std::vector<Finding> findings;
    std::vector<std::string> witnesses;  // who was asked, in the words of reports
};

inline constexpr std::size_t kMaxNarrowRegions = 100;

// A file in a wheel, whatever it holds.
struct FileDigest {
    std::string name;  // in the archive
    std::uint64_t size = 0;
    std::uint32_t crc32 = 0;
    Sha256Digest sha256 = {};
};

struct Inventory {
    std::filesystem::path path;
    std::string file_name;
    std::string distribution;  // of a wheel, from its name; else empty
    bool is_wheel = false;
    std::uint64_t size = 0;
    std::vector<Member> members;  // those with device code, and binaries without
    std::vector<Finding> findings;
    std::vector<FileDigest> digests;  // only if InventoryOptions::hash_members: of all files, in the archive's order
};

// The bytes of a member while it is being read.
class MemberSource {
public:
    // `done` is called with bytes that were read and are not needed soon; see ReadOptions.
    MemberSource(ByteView bytes, std::filesystem::path path, std::filesystem::path beside,
                 std::function<void(ByteView)> done)
        : bytes_(bytes), path_(std::move(path)), beside_(std::move(beside)), done_(std::move(done)) {}

    ByteView bytes() const noexcept { return bytes_; }
    const std::function<void(ByteView)>& done() const noexcept { return done_; }
    // A path by which another program can read them; they are written to a temporary file if they have none yet.
    std::filesystem::path file() const;
    const std::filesystem::path& beside() const noexcept { return beside_; }

private:
    ByteView bytes_;
    std::filesystem::path path_;
    std::filesystem::path beside_;
    std::function<void(ByteView)> done_;
    mutable std::unique_ptr<ScratchFile> written_;
};

struct InventoryOptions {
    std::vector<std::string> exclude = {};  // patterns of members that are not judged and need not be readable
    std::vector<std::string> include = {};  // patterns of members that are ours whatever they are called
    bool keep_images = false;               // and open all of them
    bool search = false;                    // also search the data of a file that is no wheel for device code
    bool hash_members = false;              // every file of a wheel; one that is damaged is an Error, excluded or not
    // Another reader, asked about each member while its bytes are at hand. It may add to the member.
    std::function<void(const MemberSource&, const DeviceCode&, Member&)> second_witness = {};
};

// As detect_format, but throws an Error (exit 3) on a file that is named as device code or as a library (.cubin, .so,
// .pyd, ...) and is neither: it must not pass as one without device code.
FileFormat recognize(ByteView head, std::string_view path);

// Throws an Error (exit 3) if the file or one of its members cannot be read, or cannot hold device code at all.
Inventory take_inventory(const std::filesystem::path& path, const InventoryOptions& options);

// Makes the embedded code of its members count, as `count_embedded` wants it.
void count_embedded(Inventory& inventory);

// How messages name a member: `pkg.whl → pkg/_C.so`, or the file alone where it is its own member.
std::string place_of(const Inventory& inventory, const Member& member);

// What was found while it was read: of the file as a whole, then of its members, each with its place.
std::vector<Finding> all_findings(const Inventory& inventory);

// The union of the archs of its extensions.
ArchSet observed(const Inventory& inventory);

}  // namespace wheelarch
