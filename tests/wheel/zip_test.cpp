// Good archives in every shape that writers give them, and how members are read.
#include "wheel/zip.hpp"

#include <doctest/doctest.h>

#include "support/zip_builder.hpp"
#include "support/zip_probe.hpp"

namespace wheelarch {
namespace {

using Contents = std::map<std::string, std::string>;

// Bytes that do not compress.
std::string noise(std::size_t size) {
    std::string bytes(size, '\0');
    std::uint32_t state = 1;
    for (char& byte : bytes) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<char>(state >> 24U);
    }
    return bytes;
}

ZipArchive two_members() {
    return {.entries = {{.name = "pkg/_C.so", .content = std::string(3000, 'x')},
                        {.name = "pkg/a.py", .content = "x = 1\n", .method = 0}}};
}
Contents two_contents() {
    return {{"pkg/_C.so", std::string(3000, 'x')}, {"pkg/a.py", "x = 1\n"}};
}

TEST_CASE("members are listed in the order of the directory") {
    const std::string archive = build_zip(two_members());
    const std::vector<ZipMember> members = read_zip(ByteView(archive));
    REQUIRE(members.size() == 2);
    CHECK(members[0].name == "pkg/_C.so");
    CHECK(members[0].method == 8);
    CHECK(members[0].size == 3000);
    CHECK(members[0].compressed_size == members[0].data.size());
    CHECK(members[0].header_offset == 0);
    CHECK(members[1].name == "pkg/a.py");
    CHECK(members[1].method == 0);
    CHECK(members[1].data.text() == "x = 1\n");
    CHECK(members[1].data.origin() == members[1].header_offset + 30 + 8);
    CHECK(zip_contents(archive) == two_contents());
}

TEST_CASE("an archive without members is empty, not wrong") {
    CHECK(read_zip(ByteView(build_zip({}))).empty());
    CHECK(read_zip(ByteView(build_zip({.zip64 = true}))).empty());
}

TEST_CASE("is_zip looks at the start") {
    CHECK(is_zip(ByteView(build_zip(two_members()))));
    CHECK(is_zip(ByteView(build_zip({}))));
    CHECK(is_zip(ByteView(build_zip({.zip64 = true}))));
    CHECK(
        !is_zip(ByteView(std::string_view("\x7f"
                                          "ELF"))));
    CHECK(!is_zip(ByteView(std::string_view("PK"))));
    CHECK(!is_zip(ByteView()));
}

TEST_CASE("empty members, directories, names of any shape") {
    const Contents contents = zip_contents(build_zip({.entries = {{.name = "empty", .method = 0},
                                                                  {.name = "empty deflated"},
                                                                  {.name = "folder/", .method = 0},
                                                                  // Java writes folders deflated.
                                                                  {.name = "folder/folder/"},
                                                                  {.name = "/etc/passwd"},
                                                                  {.name = "../up"},
                                                                  {.name = "back\\slash"},
                                                                  {.name = "na\xc3\xafve"},
                                                                  {.name = "not utf-8 \xff"}}}));
    CHECK(contents.size() == 9);
    CHECK(contents.contains("back\\slash"));
    CHECK(contents.contains("not utf-8 \xff"));
    ZipMember folder;
    CHECK(!folder.is_directory());
    folder.name = "folder/";
    CHECK(folder.is_directory());
}

TEST_CASE("comments are skipped") {
    ZipArchive archive = two_members();
    archive.comment = std::string(0xffff, 'c');
    archive.entries[0].central = [](ZipHeader& header) { header.comment = "PK\1\2 of a member"; };
    CHECK(zip_contents(build_zip(archive)) == two_contents());
}

TEST_CASE("data descriptors, with and without signature, with both widths of sizes") {
    for (const auto shape :
         {ZipDescriptor::plain32, ZipDescriptor::signed32, ZipDescriptor::plain64, ZipDescriptor::signed64}) {
        for (const bool zip64_local : {false, true}) {
            ZipArchive archive = two_members();
            for (ZipEntry& entry : archive.entries) {
                entry.descriptor = shape;
                entry.zip64_local = zip64_local;
            }
            CHECK(zip_contents(build_zip(archive)) == two_contents());
        }
    }
}

TEST_CASE("a descriptor's local header may hold the truth already") {
    ZipArchive archive = two_members();
    archive.entries[1].descriptor = ZipDescriptor::signed32;
    archive.entries[1].local = [](ZipHeader& header) { header.size = header.compressed_size = 6; };
    CHECK(zip_contents(build_zip(archive)) == two_contents());
}

TEST_CASE("zip64 fields in every combination") {
    for (unsigned fields = 0; fields <= (kWideSize | kWideCompressedSize | kWideOffset); ++fields) {
        for (const bool zip64_local : {false, true}) {
            ZipArchive archive = two_members();
            archive.entries[1].zip64_central = fields;
            archive.entries[1].zip64_local = zip64_local;
            CHECK(zip_contents(build_zip(archive)) == two_contents());
        }
    }
}

TEST_CASE("zip64 end records, with the end record escaped or not") {
    ZipArchive archive = two_members();
    archive.zip64 = true;
    archive.comment = "with a comment";
    for (const bool escape_end : {false, true}) {
        archive.escape_end = escape_end;
        CHECK(zip_contents(build_zip(archive)) == two_contents());
    }
    archive.zip64_end = [](ZipEnd& end) { end.disks = 0; };  // seen from some writers
    CHECK(zip_contents(build_zip(archive)) == two_contents());
}

TEST_CASE("other extra fields and their padding are skipped") {
    ZipArchive archive = two_members();
    const std::string time = zip_extra(0x5455, std::string(5, '\1'));
    archive.entries[0].both = [&](ZipHeader& header) { header.extra = time; };
    archive.entries[1].zip64_central = kWideSize;
    archive.entries[1].central = [&](ZipHeader& header) {
        header.extra = time + header.extra + zip_extra(0x7075, "\1" + le32(0) + header.name) + std::string(3, '\0');
    };
    CHECK(zip_contents(build_zip(archive)) == two_contents());
}

TEST_CASE("the directory need not follow the order of the members") {
    std::string archive = build_zip(two_members());
    const std::size_t first = archive.find("PK\1\2");
    const std::size_t second = archive.find("PK\1\2", first + 1);
    const std::size_t end = archive.find("PK\5\6");
    archive = archive.substr(0, first) + archive.substr(second, end - second) + archive.substr(first, second - first) +
              archive.substr(end);
    CHECK(read_zip(ByteView(archive))[0].name == "pkg/a.py");
    CHECK(zip_contents(archive) == two_contents());
}

TEST_CASE("65,535 members need no zip64, 65,536 do") {
    for (const std::size_t count : {std::size_t{65535}, std::size_t{65536}}) {
        ZipArchive archive = {.zip64 = count > 65535};
        for (std::size_t i = 0; i < count; ++i) {
            archive.entries.push_back({.name = std::to_string(i), .method = 0});
        }
        CHECK(read_zip(ByteView(build_zip(archive))).size() == count);
    }
}

TEST_CASE("big members come in pieces, and their input is given back as it is used") {
    const std::string content = noise(std::size_t{33} << 20U);
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
        const std::string archive = build_zip({.entries = {{.name = "big", .content = content, .method = method}}});
        const ZipMember member = read_zip(ByteView(archive)).at(0);
        std::uint64_t total = 0;
        std::uint64_t used = 0;
        std::size_t steps = 0;
        bool same = true;
        read_member(
            member,
            [&](ByteView piece) {
                same = same && piece.text() == std::string_view(content).substr(total, piece.size());
                total += piece.size();
                return true;
            },
            [&](ByteView compressed) {
                CHECK(compressed.data() == member.data.data() + used);
                used += compressed.size();
                ++steps;
            });
        CHECK(same);
        CHECK(total == content.size());
        CHECK(used == member.data.size());
        CHECK(steps == 3);
    }
}

TEST_CASE("stored members are handed on where they lie") {
    const std::string archive = build_zip({.entries = {{.name = "a", .content = "stored", .method = 0}}});
    const ZipMember member = read_zip(ByteView(archive)).at(0);
    read_member(member, [&](ByteView piece) {
        CHECK(piece.data() == member.data.data());
        return true;
    });
}

TEST_CASE("reading ends when it is told to, without a look at the rest") {
    const std::string content = noise(3'000'000);
    const std::string archive = build_zip({.entries = {{.name = "stored", .content = content, .method = 0, .crc32 = 1},
                                                       {.name = "deflated", .content = content, .crc32 = 1}}});
    for (const ZipMember& member : read_zip(ByteView(archive))) {
        int pieces = 0;
        read_member(member, [&](ByteView) { return ++pieces < 2; });
        CHECK(pieces == 2);
    }
}

TEST_CASE("an Error of the one who takes the pieces is marked with the member") {
    const std::string archive = build_zip(two_members());
    const ZipMember member = read_zip(ByteView(archive)).at(0);
    CHECK(error_of([&] {
              read_member(member, [](ByteView) -> bool { throw unchecked("no ELF file", "build it again").at(4); });
          }) == "pkg/_C.so → offset 0x4: no ELF file");
}

TEST_CASE("the head of a member is as long as asked, or as the member") {
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
        const std::string archive = build_zip({.entries = {{.name = "a", .content = "0123456789", .method = method}}});
        const ZipMember member = read_zip(ByteView(archive)).at(0);
        CHECK(read_head(member, 0).empty());
        CHECK(read_head(member, 4) == "0123");
        CHECK(read_head(member, 10) == "0123456789");
        CHECK(read_head(member, ~std::uint64_t{0}) == "0123456789");
    }
}

}  // namespace
}  // namespace wheelarch
