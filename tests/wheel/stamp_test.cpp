#include "wheel/stamp.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include <doctest/doctest.h>

#include "base/setting.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"
#include "support/wheel_builder.hpp"
#include "support/zip_probe.hpp"
#include "wheel/wheel_check.hpp"
#include "wheel/zip_writer.hpp"

namespace wheelarch {
namespace {

constexpr char kStamp[] = "{\"schema\": 1}\n";
constexpr char kStampPath[] = "pkg-1.0.dist-info/_build_info.json";
constexpr char kRecordPath[] = "pkg-1.0.dist-info/RECORD";
const std::string kFile = kWheelName;

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Inventory hashed(const std::filesystem::path& path) {
    return take_inventory(path, {.hash_members = true});
}

Stamped stamp(const std::filesystem::path& path, std::string_view text = kStamp,
              std::optional<std::int64_t> epoch = std::nullopt) {
    const Stamped stamped = stamp_wheel(hashed(path), text, epoch);
    CHECK(stamped.sha256 == sha256_hex(path));
    CHECK(stamped.size == std::filesystem::file_size(path));
    CHECK(!fails(check_wheel(hashed(path))));
    return stamped;
}

// The archive after it was stamped, in a folder where nothing else is left.
std::string stamped(const std::string& archive, std::string_view text = kStamp,
                    std::optional<std::int64_t> epoch = std::nullopt) {
    const TemporaryFolder folder;
    const auto path = folder.write(kWheelName, archive);
    CHECK(stamp(path, text, epoch).changed);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    return content_of(path);
}

std::vector<std::string> names_in(const std::string& archive) {
    std::vector<std::string> names;
    for (const ZipMember& member : read_zip(ByteView(archive))) {
        names.push_back(member.name);
    }
    return names;
}

std::string file_in(const std::string& archive, const std::string& name) {
    return zip_contents(archive).at(name);
}

TEST_CASE("the stamp and RECORD come last, and RECORD is true") {
    const std::string archive = stamped(build_wheel({}));
    CHECK(names_in(archive) == std::vector<std::string>{"pkg/__init__.py", "pkg-1.0.dist-info/METADATA",
                                                        "pkg-1.0.dist-info/WHEEL", kStampPath, kRecordPath});
    CHECK(file_in(archive, kStampPath) == kStamp);
    const WheelSpec spec;
    CHECK(file_in(archive, kRecordPath) == record_row("pkg/__init__.py", "x = 1\n") +
                                               record_row("pkg-1.0.dist-info/METADATA", *spec.metadata) +
                                               record_row("pkg-1.0.dist-info/WHEEL", *spec.wheel) +
                                               record_row(kStampPath, kStamp) + "pkg-1.0.dist-info/RECORD,,\n");
    for (const ZipMember& member : read_zip(ByteView(archive))) {
        CHECK((member.method == 0) == (member.name == kStampPath || member.name == kRecordPath));
    }
}

TEST_CASE("all other members are copied as they are") {
    WheelSpec spec = {.files = {{.name = "pkg/", .method = 0},
                                {.name = "pkg/bin/tool", .content = std::string(500, 't')},
                                {.name = "pkg/a.py", .content = "x = 1\n", .method = 0}}};
    spec.files[1].both = [](ZipHeader& header) {
        header.made_by = 0x0314;
        header.external_attributes = 0100755U << 16U;
        header.time = 0x51234567;
        header.extra = zip_extra(0x5455, "\3" + le32(7));
    };
    const std::string before = build_wheel(spec);
    const std::string after = stamped(before);
    const std::size_t kept = before.find(kRecordPath) - 30;
    CHECK(after.substr(0, kept) == before.substr(0, kept));
    const ZipMember tool = read_zip(ByteView(after)).at(1);
    CHECK(tool.external_attributes == 0100755U << 16U);
    CHECK(tool.extra.text() == zip_extra(0x5455, "\3" + le32(7)));
}

TEST_CASE("RECORD may be the first member or lie anywhere") {
    const std::string expected = stamped(build_wheel({}));
    for (std::size_t place = 0; place < 4; ++place) {
        std::vector<ZipEntry> entries = wheel_entries({});
        std::rotate(entries.begin() + static_cast<std::ptrdiff_t>(place), entries.end() - 1, entries.end());
        CHECK(stamped(build_zip({.entries = entries})) == expected);
    }
}

TEST_CASE("data descriptors of every shape are left out") {
    const std::string expected = stamped(build_wheel({}));
    for (const auto shape :
         {ZipDescriptor::plain32, ZipDescriptor::signed32, ZipDescriptor::plain64, ZipDescriptor::signed64}) {
        std::vector<ZipEntry> entries = wheel_entries({});
        for (ZipEntry& entry : entries) {
            entry.descriptor = shape;
        }
        CHECK(stamped(build_zip({.entries = entries})) == expected);
    }
}

TEST_CASE("zip64 fields and records that nothing needs are left out") {
    const std::string expected = stamped(build_wheel({}));
    std::vector<ZipEntry> entries = wheel_entries({});
    for (ZipEntry& entry : entries) {
        entry.zip64_local = true;
        entry.zip64_central = kWideSize | kWideCompressedSize | kWideOffset;
    }
    CHECK(stamped(build_zip({.entries = entries, .zip64 = true})) == expected);
}

TEST_CASE("the comment of the archive stays, comments of members do not") {
    std::vector<ZipEntry> entries = wheel_entries({});
    entries[0].central = [](ZipHeader& header) { header.comment = "of a member"; };
    const std::string archive = stamped(build_zip({.entries = entries, .comment = "of the archive"}));
    CHECK(archive.ends_with("of the archive"));
    CHECK(archive.find("of a member") == std::string::npos);
}

TEST_CASE("rows of RECORD are rewritten in the one form") {
    const std::string odd = "pkg/a, \"b\".py";
    const std::string naive = "pkg/na\xc3\xafve.py";
    const std::string archive = stamped(build_wheel(
        {.files = {{.name = odd, .content = "1"},
                   {.name = naive, .content = "2", .both = [](ZipHeader& header) { header.flags = 0x0800; }}},
         .edit_record = [](std::string& text) {
             std::string windows;
             for (const char c : text) {
                 windows += c == '/' ? "\\" : c == '\n' ? "\r\n" : std::string(1, c);
             }
             // RECORD's own row a second time, with a hash, and a file's row a second time.
             text = windows + record_row(kRecordPath, "old") + windows.substr(windows.find("pkg\\na"));
         }}));
    CHECK(file_in(archive, kRecordPath)
              .starts_with(record_row(odd, "1") + record_row(naive, "2") + "pkg-1.0.dist-info/METADATA,sha256="));
    const std::string record = file_in(archive, kRecordPath);
    CHECK(std::count(record.begin(), record.end(), '\n') == 6);
    CHECK(record.find_first_of("\\\r") == std::string::npos);
    CHECK(record.ends_with(record_row(kStampPath, kStamp) + "pkg-1.0.dist-info/RECORD,,\n"));
}

TEST_CASE("padding of hashes in RECORD is dropped") {
    const auto pad = [](std::string& text) { text.insert(text.find(",6\n"), "="); };
    CHECK(stamped(build_wheel({.edit_record = pad})) == stamped(build_wheel({})));
}

TEST_CASE("the same stamp again changes nothing") {
    const TemporaryFolder folder;
    const auto path = folder.write(kWheelName, build_wheel({}));
    const Stamped first = stamp(path);
    const TemporaryFolder other;
    std::filesystem::create_hard_link(path, other.path() / kFile);
    const Stamped second = stamp(path);
    CHECK(first.changed);
    CHECK_FALSE(second.changed);
    CHECK(second.sha256 == first.sha256);
    CHECK(std::filesystem::equivalent(path, other.path() / kFile));
}

TEST_CASE("another stamp replaces the first") {
    const std::string once = stamped(build_wheel({}));
    CHECK(stamped(once, "{\"schema\": 2}\n") == stamped(build_wheel({}), "{\"schema\": 2}\n"));
    CHECK(stamped(stamped(once, ""), kStamp) == once);
}

TEST_CASE("a stamp that RECORD lists elsewhere, with the archive in another order") {
    std::vector<ZipEntry> entries = wheel_entries(
        {.files = {{.name = kStampPath, .content = kStamp}, {.name = "pkg/__init__.py", .content = "x = 1\n"}}});
    CHECK(stamped(build_zip({.entries = entries})) == stamped(build_wheel({})));
}

TEST_CASE("the time of the new members") {
    const auto time_of = [](const std::string& archive) {
        const std::vector<ZipMember> members = read_zip(ByteView(archive));
        CHECK(members.at(3).time == members.at(4).time);
        return members.at(3).time;
    };
    std::vector<ZipEntry> entries = wheel_entries({});
    entries.back().both = [](ZipHeader& header) {
        header.time = 0x51234567;
        header.made_by = 0x0314;
        header.external_attributes = 0100664U << 16U;
    };
    const std::string archive = build_zip({.entries = entries});
    CHECK(time_of(stamped(archive)) == 0x51234567);
    CHECK(time_of(stamped(archive, kStamp, 1709210096)) == dos_time(1709210096));
    CHECK(time_of(stamped(archive, kStamp, 0)) == dos_time(315532800));
    const ZipMember stamp = read_zip(ByteView(stamped(archive))).at(3);
    CHECK(stamp.external_attributes == 0100664U << 16U);
    CHECK(stamp.made_by == 0x0314);
}

TEST_CASE("a wheel that is wrong already is refused, and stays as it was") {
    const TemporaryFolder folder;
    const std::string archive =
        build_wheel({.edit_record = [](std::string& text) { text = text.substr(text.find('\n') + 1); }});
    const auto path = folder.write(kWheelName, archive);
    CHECK(error_text([&] { stamp(path); }) ==
          kFile +
              " → pkg/__init__.py: RECORD does not list it\nfix: pack the wheel again, which writes RECORD anew: "
              "`wheel unpack`, `wheel pack`");
    CHECK(content_of(path) == archive);
}

TEST_CASE("a file that has changed since is refused") {
    const TemporaryFolder folder;
    const auto path = folder.write(kWheelName, build_wheel({}));
    const Inventory inventory = hashed(path);
    const std::string other = build_wheel({.files = {{.name = "pkg/__init__.py", .content = "x = 2\n"}}});
    folder.write(kWheelName, other);
    CHECK(error_text([&] { stamp_wheel(inventory, kStamp, {}); }) ==
          kFile +
              ": the file has changed since it was inspected\nfix: let nothing else write to it meanwhile, and run "
              "this again");
    CHECK(content_of(path) == other);
    std::filesystem::remove(path);
    CHECK(error_text([&] { stamp_wheel(inventory, kStamp, {}); }) ==
          kFile + ": cannot open the file: No such file or directory\nfix: check the path and its permissions");
}

TEST_CASE("the stamp is read back") {
    const TemporaryFolder folder;
    const auto path = folder.write(kWheelName, build_wheel({}));
    CHECK(read_stamp(path) == std::nullopt);
    stamp(path);
    CHECK(read_stamp(path) == kStamp);
    CHECK(read_stamp(folder.write("a.whl", build_zip({.entries = {{.name = "a.py"}}}))) == std::nullopt);
    CHECK(error_text([&] { read_stamp(folder.write("b.whl", "no zip")); }).starts_with("b.whl: no end of central"));
    CHECK(error_text([&] {
              read_stamp(folder.write("c.whl",
                                      build_zip({.entries = {{.name = "a.dist-info/x"}, {.name = "b.dist-info/x"}}})));
          }) ==
          "c.whl: 2 folders *.dist-info in it, expected one: a.dist-info, b.dist-info\nfix: build the wheel again, "
          "with a tool that writes wheels");
}

TEST_CASE("SOURCE_DATE_EPOCH") {
    const auto with = [](const char* value) {
        const Setting set("SOURCE_DATE_EPOCH", value);
        return source_date_epoch();
    };
    const Setting none("SOURCE_DATE_EPOCH", std::nullopt);
    CHECK(source_date_epoch() == std::nullopt);
    CHECK(with("") == std::nullopt);
    CHECK(with("0") == 0);
    CHECK(with("315532799") == 315532799);
    CHECK(with("-5") == -5);
    CHECK(with("99999999999999999999999999") == INT64_MAX);
    CHECK(with("-99999999999999999999999999") == -INT64_MAX);
    for (const char* text : {"abc", "12a", " 1", "1.5", "+1", "0x10"}) {
        std::string message = "no error";
        try {
            with(text);
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            message = error.what() + ("\nfix: " + error.fix());
        }
        CHECK(message == "SOURCE_DATE_EPOCH is '" + std::string(text) +
                             "', expected a whole number of seconds since 1970\nfix: set it by `git log -1 "
                             "--format=%ct`, or unset it");
    }
}

TEST_CASE("damaged wheels are refused or stamped, never half") {
    const TemporaryFolder folder;
    const std::string text = "pkg/__init__.py,sha256=" + to_base64url(sha256_of("x = 1\n")) + ",6\n";
    check_bit_flips(text, 0, text.size(), [&](ByteView bytes) {
        const std::string archive = build_wheel({.edit_record = [&](std::string& record) {
            record = std::string(bytes.text()) + record.substr(record.find('\n') + 1);
        }});
        const auto path = folder.write(kWheelName, archive);
        try {
            stamp_wheel(hashed(path), kStamp, {});
        } catch (const Error&) {
            CHECK(content_of(path) == archive);
            throw;
        }
        CHECK(!fails(check_wheel(hashed(path))));
    });
}

}  // namespace
}  // namespace wheelarch
