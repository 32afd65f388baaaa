// Device code: what one file holds for GPUs, image by image, in the order in which cuobjdump lists it.
//
// Where it lies (observed, CUDA 11.8 to 13.0):
//   ELF          `.nv_fatbin`, then `__nv_relfatbin` (relocatable code of -rdc=true), then the regions that are
//                registered and lie elsewhere; see registration.hpp. What is not registered is listed and does not
//                count.
//   PE, COFF     the same, under names that an image cuts to 8 bytes: `.nv_fatb`, `__nv_rel`, `.nvFatBi`
//   ar           in its objects
//   otherwise    the file itself: fatbin, cubin or PTX
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "base/byte_view.hpp"
#include "base/finding.hpp"
#include "binary/fatbin.hpp"
#include "binary/payload.hpp"

namespace wheelarch {

enum class FileFormat { other, elf, pe, coff, ar, fatbin, cubin, ptx };
std::string_view name(FileFormat format);

// By content; `head` is the file or its first kHeadSize bytes. `path` only helps where content cannot tell: a COFF
// object has no magic.
inline constexpr std::uint64_t kHeadSize = 64 << 10;
FileFormat detect_format(ByteView head, std::string_view path);

struct CodeSection {
    std::string name;  // `.nv_fatbin`; in an archive `object.o:.nv_fatbin`; empty where the file itself is the code
    ByteView bytes;
    // Code that a device link takes in. The driver still links it when the library is loaded, if the linked code has
    // nothing for the device: SASS and PTX alike (measured on a device of 9.0, CUDA 13.0).
    bool relocatable = false;
    bool followed = false;  // no section, but a region that a wrapper points to
};

enum class RegionState : std::uint8_t {
    registered,    // the runtime gets it when the file is loaded; so all of objects and of bare code
    unregistered,  // it lies where registered ones do, but no wrapper leads to it
    embedded,      // found by searching the data (embedded.hpp): whoever loads it, it is not the runtime
};
std::string_view name(RegionState state);

struct Region {
    std::uint64_t offset = 0;  // in the file
    RegionState state = RegionState::registered;
};

struct Image {
    ImageKind kind = ImageKind::other;
    Arch arch;
    Compression compression = Compression::none;
    bool debug = false;
    // It holds no kernel and no function. An image that is compressed and larger than kAlwaysOpened is taken to hold
    // code without a look, except that for each arch at least one image is opened and proven (or all, see ReadOptions).
    bool kernelless = false;
    std::uint16_t raw_kind = 0;
    std::uint16_t version_major = 0;  // as in FatbinEntry; 0 for bare PTX
    std::uint16_t version_minor = 0;
    std::uint32_t section = 0;      // index into DeviceCode::sections
    std::uint32_t region = 0;       // counted over the file, from 0
    std::uint64_t size = 0;         // as it is stored
    std::uint64_t opened_size = 0;  // once it is decompressed
    std::uint64_t offset = 0;       // of the payload in the file
};

struct DeviceCode {
    FileFormat format = FileFormat::other;
    std::uint16_t machine =
        0;  // of the host, as ELF's e_machine or PE's Machine (an archive: of its last object); 0 for bare code
    std::vector<CodeSection> sections;
    std::vector<Image> images;
    std::vector<Region> regions;
    std::vector<Finding> findings;  // oddities, without place
    bool amd = false;               // code for AMD devices, which is not read
    std::uint64_t bitcode = 0;      // pieces of LLVM bitcode or LTO-IR outside of fatbins, if it was searched
};

inline constexpr std::uint64_t kAlwaysOpened = 16 << 10;

struct ReadOptions {
    bool open_all = false;  // decompress every image to tell whether it holds code
    bool search = false;    // look for code in the data too; embedded images are not opened
    // Called with bytes that were read and are not needed soon.
    std::function<void(ByteView)> done = [](ByteView) {};
};

// The payload of an image of `file`; errors as PayloadReader::open.
ByteView open_image(ByteView file, const Image& image, PayloadReader& reader);
// Its first `size` bytes; errors as PayloadReader::open_head.
ByteView open_image_head(ByteView file, const Image& image, PayloadReader& reader, std::uint64_t size);

// What cuobjdump lists of such a file: it knows sections by their names, follows wrappers only where there is none of
// them, and neither asks what is registered nor searches.
DeviceCode as_cuobjdump_lists(DeviceCode code);

// Throws an Error if the file cannot be read whole. `format` is what detect_format said; `other` gives what a search
// finds.
DeviceCode read_device_code(ByteView file, FileFormat format, const ReadOptions& options);

}  // namespace wheelarch
