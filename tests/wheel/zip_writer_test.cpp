#include "wheel/zip_writer.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/zip_builder.hpp"
#include "support/zip_probe.hpp"

namespace wheelarch {
namespace {

std::string bytes_of(const ZipWriter& writer) {
    std::string bytes;
    for (const ZipPiece& piece : writer.pieces()) {
        bytes += piece.made;
        bytes += piece.copied.text();
    }
    CHECK(bytes.size() == writer.size());
    return bytes;
}

// All members of an archive, and its comment, written anew.
std::string rewritten(const std::string& archive) {
    ZipWriter writer;
    for (const ZipMember& member : read_zip(ByteView(archive))) {
        writer.copy(member);
    }
    writer.finish(archive_comment(ByteView(archive)));
    return bytes_of(writer);
}

std::string fields_of(const ZipMember& member) {
    return member.name + " " + std::to_string(member.method) + " " + std::to_string(member.crc32) + " " +
           std::to_string(member.size) + " " + std::to_string(member.time) + " " + std::to_string(member.made_by) +
           " " + std::to_string(member.internal_attributes) + " " + std::to_string(member.external_attributes) + " " +
           std::to_string(member.flags & ~8U) + " " + std::string(member.data.text());
}

void check_same(const std::string& archive, const std::string& copy) {
    const std::vector<ZipMember> before = read_zip(ByteView(archive));
    const std::vector<ZipMember> after = read_zip(ByteView(copy));
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        CHECK(fields_of(before[i]) == fields_of(after[i]));
        CHECK((after[i].flags & 8U) == 0);
        CHECK(after[i].comment.empty());
    }
    CHECK(zip_contents(archive) == zip_contents(copy));
    CHECK(archive_comment(ByteView(archive)).text() == archive_comment(ByteView(copy)).text());
}

ZipArchive sample() {
    return {.entries = {{.name = "pkg/", .method = 0},
                        {.name = "pkg/_C.so", .content = std::string(3000, 'x')},
                        {.name = "pkg/a.py", .content = "x = 1\n", .method = 0}}};
}

TEST_CASE("a plain archive comes out as it was") {
    ZipArchive archive = sample();
    CHECK(rewritten(build_zip(archive)) == build_zip(archive));
    archive.comment = "of the archive";
    CHECK(rewritten(build_zip(archive)) == build_zip(archive));
    CHECK(rewritten(build_zip({})) == build_zip({}));
}

TEST_CASE("attributes, times, versions and flags stay") {
    ZipArchive archive = sample();
    archive.entries[1].both = [](ZipHeader& header) {
        header.made_by = 0x031e;
        header.version_needed = 20;
        header.time = 0x00210000;
        header.internal_attributes = 1;
        header.external_attributes = 0100755U << 16U | 0x20U;
        header.flags = 0x0806;
    };
    CHECK(rewritten(build_zip(archive)) == build_zip(archive));
}

TEST_CASE("data descriptors are left out, and the local header is filled in") {
    const std::string plain = build_zip(sample());
    for (const auto shape :
         {ZipDescriptor::plain32, ZipDescriptor::signed32, ZipDescriptor::plain64, ZipDescriptor::signed64}) {
        for (const bool zip64_local : {false, true}) {
            ZipArchive archive = sample();
            for (ZipEntry& entry : archive.entries) {
                entry.descriptor = shape;
                entry.zip64_local = zip64_local;
            }
            CHECK(rewritten(build_zip(archive)) == plain);
        }
    }
}

TEST_CASE("zip64 that no value needs is left out") {
    ZipArchive archive = sample();
    const std::string plain = build_zip(archive);
    archive.zip64 = true;
    for (ZipEntry& entry : archive.entries) {
        entry.zip64_local = true;
        entry.zip64_central = kWideSize | kWideOffset;
    }
    CHECK(rewritten(build_zip(archive)) == plain);
}

TEST_CASE("member comments are left out") {
    ZipArchive archive = sample();
    archive.entries[1].central = [](ZipHeader& header) { header.comment = "PK\1\2 of a member"; };
    CHECK(rewritten(build_zip(archive)) == build_zip(sample()));
}

TEST_CASE("extra fields stay, without padding and zip64's") {
    ZipArchive archive = sample();
    const std::string time = zip_extra(0x5455, "\1" + le32(1));
    const std::string owner = zip_extra(0x7875, "\1\4" + le32(0) + "\4" + le32(0));
    archive.entries[1].local = [&](ZipHeader& header) { header.extra = time + owner; };
    archive.entries[1].central = [&](ZipHeader& header) { header.extra = owner; };
    const std::string plain = build_zip(archive);
    CHECK(rewritten(plain) == plain);
    archive.entries[1].local = [&](ZipHeader& header) {
        header.extra = time + zip_extra(1, le64(1) + le64(1)) + owner + std::string(3, '\0');
    };
    archive.entries[1].central = [&](ZipHeader& header) {
        header.extra = zip_extra(1, "") + owner + std::string(1, '\0');
    };
    CHECK(rewritten(build_zip(archive)) == plain);
}

TEST_CASE("the members lie in the order of the directory") {
    std::string archive = build_zip(sample());
    const std::size_t first = archive.find("PK\1\2");
    const std::size_t second = archive.find("PK\1\2", first + 1);
    const std::size_t end = archive.find("PK\5\6");
    archive = archive.substr(0, first) + archive.substr(second, end - second) + archive.substr(first, second - first) +
              archive.substr(end);
    check_same(archive, rewritten(archive));
    CHECK(read_zip(ByteView(rewritten(archive)))[0].header_offset == 0);
}

TEST_CASE("large sizes and offsets take zip64") {
    ZipMember big;
    big.name = "big";
    big.size = big.compressed_size = std::uint64_t{5} << 30U;
    big.version_needed = 20;
    ZipMember small = big;
    small.name = "small";
    small.size = small.compressed_size = 0;
    // A view of five GiB that nobody reads: the headers are what is looked at.
    big.data = ByteView(nullptr, big.compressed_size);
    ZipWriter writer;
    writer.copy(big);
    writer.copy(small);
    writer.finish({});
    REQUIRE(writer.pieces().size() == 3);
    const std::uint64_t offset = 30 + 3 + 20 + big.size;
    CHECK(writer.pieces()[0].made == "PK\3\4" + le16(45) + le16(0) + le16(0) + le32(0) + le32(0) + le32(0xffffffff) +
                                         le32(0xffffffff) + le16(3) + le16(20) + "big" +
                                         zip_extra(1, le64(big.size) + le64(big.size)));
    CHECK(writer.pieces()[1].made == "PK\3\4" + le16(20) + zeros(20) + le16(5) + le16(0) + "small");
    const std::string directory =
        "PK\1\2" + le16(0) + le16(45) + zeros(12) + le32(0xffffffff) + le32(0xffffffff) + le16(3) + le16(28) +
        zeros(10) + le32(0xffffffff) + "big" + zip_extra(1, le64(big.size) + le64(big.size) + le64(0)) + "PK\1\2" +
        le16(0) + le16(45) + zeros(12) + le32(0xffffffff) + le32(0xffffffff) + le16(5) + le16(28) + zeros(10) +
        le32(0xffffffff) + "small" + zip_extra(1, le64(0) + le64(0) + le64(offset));
    const std::uint64_t start = offset + 30 + 5;
    CHECK(writer.pieces()[2].made == directory + "PK\6\6" + le64(44) + le16(45) + le16(45) + zeros(8) + le64(2) +
                                         le64(2) + le64(directory.size()) + le64(start) + "PK\6\7" + le32(0) +
                                         le64(start + directory.size()) + le32(1) + "PK\5\6" + zeros(4) + le16(2) +
                                         le16(2) + le32(directory.size()) + le32(0xffffffff) + le16(0));
}

TEST_CASE("65,534 members need no zip64, 65,535 do") {
    for (const std::size_t count : {std::size_t{65534}, std::size_t{65535}}) {
        ZipWriter writer;
        for (std::size_t i = 0; i < count; ++i) {
            ZipMember member;
            member.name = std::to_string(i);
            writer.copy(member);
        }
        writer.finish({});
        const std::string archive = bytes_of(writer);
        CHECK((archive.find("PK\6\6") != std::string::npos) == (count == 65535));
        CHECK(read_zip(ByteView(archive)).size() == count);
    }
}

TEST_CASE("extra fields without room for zip64's") {
    ZipMember member;
    member.name = "big";
    member.size = member.compressed_size = std::uint64_t{5} << 30U;
    const std::string extra = zip_extra(0x5455, zeros(0xffff - 4));
    member.local_extra = ByteView(extra);
    CHECK(error_text([&] { ZipWriter().copy(member); }) ==
          "big: its extra fields are 65555 bytes long, too long to add zip64's\nfix: pack the wheel again: `wheel "
          "unpack`, `wheel pack`");
}

TEST_CASE("new members are stored") {
    ZipMember header;
    header.name = "na\xc3\xafve";
    header.time = 0x58210000;
    header.made_by = 0x0314;
    header.external_attributes = 0100644U << 16U;
    ZipWriter writer;
    writer.store(header, "text");
    header.name = "empty";
    writer.store(header, "");
    writer.finish({});
    const std::string archive = bytes_of(writer);
    CHECK(zip_contents(archive) == std::map<std::string, std::string>{{"na\xc3\xafve", "text"}, {"empty", ""}});
    const std::vector<ZipMember> members = read_zip(ByteView(archive));
    CHECK(members[0].flags == 0x0800);
    CHECK(members[1].flags == 0);
    for (const ZipMember& member : members) {
        CHECK(member.method == 0);
        CHECK(member.version_needed == 20);
        CHECK(member.time == header.time);
        CHECK(member.made_by == header.made_by);
        CHECK(member.external_attributes == header.external_attributes);
    }
}

TEST_CASE("moments as MS-DOS has them") {
    constexpr std::uint32_t kFirst = 1U << 21U | 1U << 16U;
    constexpr std::uint32_t kLast = 127U << 25U | 12U << 21U | 31U << 16U | 23U << 11U | 59U << 5U | 29U;
    CHECK(dos_time(0) == kFirst);
    CHECK(dos_time(-1) == kFirst);
    CHECK(dos_time(315532799) == kFirst);
    CHECK(dos_time(315532800) == kFirst);
    CHECK(dos_time(315532802) == kFirst + 1);
    // 2024-02-29 12:34:56
    CHECK(dos_time(1709210096) == (44U << 25U | 2U << 21U | 29U << 16U | 12U << 11U | 34U << 5U | 28U));
    CHECK(dos_time(4354819199) == kLast);
    CHECK(dos_time(4354819200) == kLast);
    CHECK(dos_time(INT64_MAX) == kLast);
    CHECK(dos_time(INT64_MIN) == kFirst);
}

}  // namespace
}  // namespace wheelarch
