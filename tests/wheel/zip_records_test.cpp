// What is wrong with the records of an archive, and the whole text that says so. Offsets can be worked out by hand: a
// local header is 30 bytes and the name, a central one 46, an end record 22.
#include "wheel/zip_records.hpp"

#include <doctest/doctest.h>

#include "support/zip_builder.hpp"
#include "support/zip_probe.hpp"

namespace wheelarch {
namespace {

using Lie = std::function<void(ZipHeader&)>;

// Two stored members, `a` at 0 with one byte of content and `b` at 32; the directory is at 64, the end record at 158.
ZipArchive plain() {
    return {.entries = {{.name = "a", .content = "A", .method = 0}, {.name = "b", .content = "B", .method = 0}}};
}

std::string error_with(const std::function<void(ZipArchive&)>& change) {
    ZipArchive archive = plain();
    change(archive);
    return zip_error(build_zip(archive));
}
std::string error_in_both(const Lie& lie) {
    return error_with([&](ZipArchive& archive) { archive.entries[1].both = lie; });
}
std::string error_in_local(const Lie& lie) {
    return error_with([&](ZipArchive& archive) { archive.entries[1].local = lie; });
}
std::string error_in_central(const Lie& lie) {
    return error_with([&](ZipArchive& archive) { archive.entries[1].central = lie; });
}
std::string error_in_end(const std::function<void(ZipEnd&)>& lie) {
    return error_with([&](ZipArchive& archive) { archive.end = lie; });
}
std::string error_in_zip64_end(const std::function<void(ZipEnd&)>& lie) {
    return error_with([&](ZipArchive& archive) {
        archive.zip64 = true;
        archive.zip64_end = lie;
    });
}

TEST_CASE("what is no archive has no end record") {
    const std::string expected = "no end of central directory record: not a zip archive, or its end is missing";
    CHECK(zip_error("") == expected);
    CHECK(zip_error("PK\5\6") == expected);
    CHECK(zip_error(std::string(100000, 'x')) == expected);
    CHECK(zip_error(build_zip(plain()) + std::string(70000, '\0')) == expected);
}

TEST_CASE("bytes outside the archive") {
    CHECK(error_with([](ZipArchive& archive) { archive.trailing = "!"; }) ==
          "offset 0xb4: 1 byte of trailing data after the end record");
    CHECK(error_with([](ZipArchive& archive) { archive.comment = "ok", archive.trailing = std::string(9, '\n'); }) ==
          "offset 0xb6: 9 bytes of trailing data after the end record");
    CHECK(error_in_end([](ZipEnd& end) { end.comment_size = 5; }) ==
          "offset 0xb4: the archive comment is said to be 5 bytes long, but the file ends after 0");
    CHECK(error_with([](ZipArchive& archive) { archive.prefix = "#!python\n"; }) ==
          "offset 0x0: 9 bytes before the first member");
    CHECK(error_with([](ZipArchive& archive) { archive.outer = "#!python\n"; }) ==
          "offset 0x0: 9 bytes before the first member");
}

TEST_CASE("a comment that holds an end record is no way to show two archives in one file") {
    CHECK(error_with([](ZipArchive& archive) { archive.comment = build_zip(plain()); }) ==
          "offset 0x0: 180 bytes before the first member");
    CHECK(error_with([](ZipArchive& archive) { archive.comment = build_zip({}); }) ==
          "offset 0xb4: the central directory is said to be at offset 0x0, but its end and its size put it at 0xb4");
}

TEST_CASE("bytes between members") {
    const std::function<void(ZipArchive&)> gap = [](ZipArchive& archive) { archive.entries[0].after = "gap"; };
    CHECK(error_with(gap) == "a: 3 bytes after its data, at offset 0x20, belong to no member");
    CHECK(error_with([](ZipArchive& archive) { archive.entries[1].after = "g"; }) ==
          "b: 1 byte after its data, at offset 0x40, belong to no member");
    CHECK(error_with([](ZipArchive& archive) { archive.entries[0].in_directory = false; }) ==
          "offset 0x0: 32 bytes before the first member");
    CHECK(error_with([](ZipArchive& archive) { archive.entries[1].in_directory = false; }) ==
          "a: 32 bytes after its data, at offset 0x20, belong to no member");
}

TEST_CASE("split archives") {
    const std::string end = "offset 0x9e: the end record speaks of several disks: one part of a split archive";
    CHECK(error_in_end([](ZipEnd& record) { record.disk = 1; }) == end);
    CHECK(error_in_end([](ZipEnd& record) { record.directory_disk = 1; }) == end);
    CHECK(error_in_end([](ZipEnd& record) { record.members_here = 1; }) == end);
    CHECK(error_in_zip64_end([](ZipEnd& record) { record.disk = 1; }) == end);
    CHECK(error_in_zip64_end([](ZipEnd& record) { record.directory_disk = 1; }) == end);
    CHECK(error_in_zip64_end([](ZipEnd& record) { record.members_here = 1; }) == end);
    CHECK(error_in_zip64_end([](ZipEnd& record) { record.disks = 2; }) ==
          "offset 0xd6: the end record speaks of several disks: one part of a split archive");
    CHECK(error_in_central([](ZipHeader& header) { header.disk = 1; }) ==
          "b: the member starts on another disk: the archive is one part of a split one");
}

TEST_CASE("an end record that does not fit the directory") {
    CHECK(error_in_end([](ZipEnd& end) { end.members = end.members_here = 1; }) ==
          "offset 0x6f: the end record counts 1 member, but the central directory goes on");
    CHECK(error_in_end([](ZipEnd& end) { end.members = end.members_here = 3; }) ==
          "the end record counts 3 members, too many for a central directory of 94 bytes (the limit is 1000000)");
    CHECK(error_in_end([](ZipEnd& end) { end.directory_size = 159; }) ==
          "offset 0x9e: the central directory is said to be 159 bytes long, but only 158 come before its end");
    CHECK(error_in_end([](ZipEnd& end) { end.directory_size = 93; }) ==
          "offset 0x9e: the central directory is said to be at offset 0x40, but its end and its size put it at 0x41");
    CHECK(error_in_end([](ZipEnd& end) { end.directory_offset = 65; }) ==
          "offset 0x9e: the central directory is said to be at offset 0x41, but its end and its size put it at 0x40");
    CHECK(error_in_end([](ZipEnd& end) { end.directory_size = 47, end.directory_offset = 111; }) ==
          "the end record counts 2 members, too many for a central directory of 47 bytes (the limit is 1000000)");
    CHECK(error_with([](ZipArchive& archive) {
              archive.entries[0].central = [](ZipHeader& header) { header.comment = std::string(46, 'c'); };
              archive.end = [](ZipEnd& end) { end.members = end.members_here = 3; };
          }) == "offset 0xcc: the end record counts 3 members, the central directory has 2");
}

TEST_CASE("a zip64 end record that contradicts the end record, or is not there") {
    CHECK(error_in_zip64_end([](ZipEnd& end) { end.record_offset = 0; }) ==
          "offset 0xd6: the zip64 end record is said to be at offset 0x0, expected 56 bytes right before its locator");
    CHECK(error_in_zip64_end([](ZipEnd& end) { end.record_size = 45; }) ==
          "offset 0x9e: no zip64 end record where its locator says");
    CHECK(error_with([](ZipArchive& archive) {
              archive.zip64 = true;
              archive.end = [](ZipEnd& end) { end.directory_offset = 32; };
          }) == "the end record and the zip64 end record disagree on the directory offset: 32 and 64");
    CHECK(error_with([](ZipArchive& archive) {
              archive.zip64 = true;
              archive.end = [](ZipEnd& end) { end.members = 1; };
          }) == "the end record and the zip64 end record disagree on the number of members: 1 and 2");
    CHECK(error_in_zip64_end([](ZipEnd& end) { end.members = end.members_here = 2'000'000; }) ==
          "the end record counts 2000000 members, too many for a central directory of 94 bytes (the limit is "
          "1000000)");
}

TEST_CASE("members that no installer can read") {
    const std::string only = "; a wheel may hold only 0 (stored) and 8 (deflated)";
    const std::string encrypted = "b: the member is encrypted (general purpose flags ";
    CHECK(error_in_both([](ZipHeader& header) { header.flags = 0x0001; }) == encrypted + "0x0001)");
    CHECK(error_in_both([](ZipHeader& header) { header.flags = 0x0041; }) == encrypted + "0x0041)");
    CHECK(error_in_both([](ZipHeader& header) { header.flags = 0x2000; }) == encrypted + "0x2000)");
    CHECK(error_in_both([](ZipHeader& header) { header.flags = 0x0020; }) ==
          "b: the member is a compressed patch, not a file");
    CHECK(error_in_both([](ZipHeader& header) { header.method = 9; }) ==
          "b: the member is compressed by method 9 (deflate64)" + only);
    CHECK(error_in_both([](ZipHeader& header) { header.method = 93; }) ==
          "b: the member is compressed by method 93 (zstd)" + only);
    CHECK(error_in_both([](ZipHeader& header) { header.method = 77; }) ==
          "b: the member is compressed by method 77" + only);
}

TEST_CASE("names that cannot be shown, or stand twice") {
    CHECK(error_in_both([](ZipHeader& header) { header.name = ""; }) == "offset 0x9c: a member without a name");
    CHECK(error_in_both([](ZipHeader& header) { header.name = std::string("b.so\0.py", 8); }) ==
          "offset 0xa4: control characters in the member name 'b.so\\x00.py'");
    CHECK(error_in_both([](ZipHeader& header) { header.name = "\x1b[2J\x7f\n"; }) ==
          "offset 0xa2: control characters in the member name '\\x1b[2J\\x7f\\n'");
    CHECK(error_in_both([](ZipHeader& header) { header.name = "a"; }) ==
          "a: two members have this name, and installers differ on which they take");
}

TEST_CASE("sizes that cannot be") {
    CHECK(error_in_both([](ZipHeader& header) { header.size = 2; }) ==
          "b: the stored member is 2 bytes long, but takes 1 byte in the archive");
    CHECK(error_in_both([](ZipHeader& header) { header.name = "b/"; }) ==
          "b/: a directory with 1 byte of data, which no installer unpacks");
    CHECK(zip_error(build_zip(
              {.entries =
                   {{.name = "a", .zip64_local = true, .zip64_central = kWideSize, .size = kMaxMemberSize + 1}}})) ==
          "a: the member is 8589934593 bytes long, the limit is 8589934592");
    ZipArchive archive;
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        archive.entries.push_back(
            {.name = name, .zip64_local = true, .zip64_central = kWideSize, .size = kMaxMemberSize});
    }
    CHECK(zip_error(build_zip(archive)) == "the members are 42949672960 bytes long together, the limit is 34359738368");
}

TEST_CASE("extra fields") {
    CHECK(error_in_central([](ZipHeader& header) { header.size = header.compressed_size = kEscape32; }) ==
          "b: the zip64 extra field is 0 bytes long, too short for the fields that need it");
    CHECK(error_in_central([](ZipHeader& header) {
              header.size = header.compressed_size = kEscape32;
              header.extra = zip_extra(1, le64(1) + le32(1));
          }) == "b: the zip64 extra field is 12 bytes long, too short for the fields that need it");
    CHECK(error_in_local([](ZipHeader& header) { header.size = kEscape32; }) ==
          "b: the zip64 extra field is 0 bytes long, too short for the fields that need it");
    CHECK(error_in_central([](ZipHeader& header) { header.extra = zip_extra(1, "") + zip_extra(1, ""); }) ==
          "b: two extra fields 0x0001, and readers differ on which they take");
    CHECK(error_in_central([](ZipHeader& header) { header.extra = le16(0x5455) + le16(5) + "time"; }) ==
          "b: the extra field 0x5455 is 5 bytes long, but only 4 left");
    CHECK(error_in_central([](ZipHeader& header) { header.extra = zip_extra(0x7075, "\1" + le32(0) + "c"); }) ==
          "b: the Unicode Path extra field gives the member another name");
}

TEST_CASE("local headers that disagree with the directory") {
    const std::string prefix = "b: its local header and the central directory disagree on the ";
    CHECK(error_in_local([](ZipHeader& header) { header.name = "c"; }) ==
          "b: its local header has another name than the central directory");
    CHECK(error_in_local([](ZipHeader& header) { header.method = 8; }) == prefix + "method: 8 and 0");
    CHECK(error_in_local([](ZipHeader& header) { header.flags = 1; }) ==
          prefix + "general purpose flags: 0x0001 and 0x0000");
    CHECK(error_in_local([](ZipHeader& header) { header.flags = 8; }) ==
          prefix + "general purpose flags: 0x0008 and 0x0000");
    CHECK(error_in_local([](ZipHeader& header) { header.crc32 = 0; }) == prefix + "CRC-32: 0x00000000 and 0x4ad0cf31");
    CHECK(error_in_local([](ZipHeader& header) { header.size = 0; }) == prefix + "size: 0 and 1");
    CHECK(error_in_local([](ZipHeader& header) { header.compressed_size = 2; }) == prefix + "compressed size: 2 and 1");
    CHECK(error_with([](ZipArchive& archive) {
              archive.entries[1].descriptor = ZipDescriptor::signed32;
              archive.entries[1].local = [](ZipHeader& header) { header.size = 2; };
          }) == prefix + "size: 2 and 1");
    CHECK(error_in_local([](ZipHeader& header) { header.signature = "PK\3\5"; }) ==
          "b: no local header at offset 0x20, where the central directory says");
}

TEST_CASE("members that reach beyond their place") {
    CHECK(error_in_central([](ZipHeader& header) { header.offset = 35; }) ==
          "b: its local header at offset 0x23 goes past the start of the central directory at 0x40");
    CHECK(error_in_both([](ZipHeader& header) { header.size = header.compressed_size = 2; }) ==
          "b: its data (2 bytes) at offset 0x3f goes past the start of the central directory at 0x40");
    CHECK(error_in_central([](ZipHeader& header) {
              header.size = header.compressed_size = kEscape32;
              header.extra = zip_extra(1, le64(kMaxMemberSize) + le64(kMaxMemberSize));
          }) == "b: its data (8589934592 bytes) at offset 0x3f goes past the start of the central directory at 0x40");
    CHECK(error_with([](ZipArchive& archive) {
              archive.entries[0].both = [](ZipHeader& header) { header.size = header.compressed_size = 10; };
          }) == "a: its data reaches to offset 0x29, into 'b' at 0x20");
    // A quoted bomb: two names for the same bytes.
    CHECK(error_with([](ZipArchive& archive) {
              archive.entries[1].both = [](ZipHeader& header) { header.name = "c"; };
              archive.entries[1].central = [](ZipHeader& header) { header.offset = 0; };
          }) == "c: its local header has another name than the central directory");
}

TEST_CASE("a directory that does not consist of headers") {
    CHECK(error_in_central([](ZipHeader& header) { header.signature = "PK\5\5"; }) ==
          "offset 0x6f: expected a central directory header, found something else");
}

TEST_CASE("data descriptors that do not hold") {
    const auto error_in_descriptor = [](ZipDescriptor shape, const std::function<void(std::string&)>& lie) {
        return error_with([&](ZipArchive& archive) {
            archive.entries[0].descriptor = shape;
            archive.entries[0].descriptor_bytes = lie;
        });
    };
    const std::string other = " does not repeat the CRC-32 and the sizes of the central directory";
    for (const std::size_t field : {0U, 4U, 8U, 12U}) {
        CHECK(error_in_descriptor(ZipDescriptor::signed32, [&](std::string& bytes) { bytes[field] = '\x7f'; }) ==
              "a: the data descriptor (16 bytes)" + other);
    }
    CHECK(error_in_descriptor(ZipDescriptor::plain32, [](std::string& bytes) { bytes[8] = '\x7f'; }) ==
          "a: the data descriptor (12 bytes)" + other);
    CHECK(error_in_descriptor(ZipDescriptor::signed64, [](std::string& bytes) { bytes[23] = '\x7f'; }) ==
          "a: the data descriptor (24 bytes)" + other);
    CHECK(error_in_descriptor(ZipDescriptor::plain64, [](std::string& bytes) { bytes[11] = '\x7f'; }) ==
          "a: the data descriptor (20 bytes)" + other);
    CHECK(error_in_descriptor(ZipDescriptor::plain64, [](std::string& bytes) { bytes.clear(); }) ==
          "a: 0 bytes after its data, expected a data descriptor of 12, 16, 20 or 24");
    CHECK(error_in_descriptor(ZipDescriptor::signed64, [](std::string& bytes) { bytes += "padding"; }) ==
          "a: 31 bytes after its data, expected a data descriptor of 12, 16, 20 or 24");
}

}  // namespace
}  // namespace wheelarch
