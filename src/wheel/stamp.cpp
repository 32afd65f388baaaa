#include "wheel/stamp.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "wheel/dist_info.hpp"
#include "wheel/record_check.hpp"
#include "wheel/replacement.hpp"
#include "wheel/wheel_check.hpp"
#include "wheel/zip_records.hpp"
#include "wheel/zip_writer.hpp"

namespace wheelarch {
namespace {

// The two members that stamping makes anew.
struct Metadata {
    std::string stamp_path;
    std::string stamp;
    std::string record_path;
    std::string record;

    bool replaces(const ZipMember& member) const { return member.name == stamp_path || member.name == record_path; }
};

RecordRow row_of(const std::string& path, std::string_view content) {
    return {path, "sha256=" + to_base64url(sha256_of(content)), std::to_string(content.size())};
}

// The old rows in their order, each path once, then the stamp's and RECORD's own. `old` has passed check_record, so
// every hash is a sha256, at worst one with padding.
std::string updated_record(const Record& old, const Metadata& metadata) {
    std::vector<RecordRow> rows;
    std::unordered_set<std::string_view> seen = {metadata.stamp_path, metadata.record_path};
    for (const RecordRow& row : old.rows) {
        if (seen.insert(row.path).second) {
            rows.push_back(row);
            std::string& hash = rows.back().hash;
            hash.resize(hash.find_last_not_of('=') + 1);
        }
    }
    rows.push_back(row_of(metadata.stamp_path, metadata.stamp));
    rows.push_back({metadata.record_path, "", ""});
    return write_record(rows);
}

Metadata make_metadata(const std::vector<ZipMember>& members, std::string_view build_info) {
    const std::string dist_info = dist_info_folders(members).at(0);
    Metadata metadata = {dist_info + "/" + kStampName, std::string(build_info), dist_info + "/RECORD", {}};
    const ZipMember& record = *find_member(members, metadata.record_path);
    metadata.record = updated_record(parse_record(read_small(record, kMaxRecordSize)), metadata);
    return metadata;
}

ZipWriter plan(const std::vector<ZipMember>& members, const Metadata& metadata,
               std::optional<std::int64_t> source_date_epoch, ByteView comment) {
    ZipWriter writer;
    for (const ZipMember& member : members) {
        if (!metadata.replaces(member)) {
            writer.copy(member);
        }
    }
    ZipMember header = *find_member(members, metadata.record_path);
    if (source_date_epoch) {
        header.time = dos_time(*source_date_epoch);
    }
    header.name = metadata.stamp_path;
    writer.store(header, metadata.stamp);
    header.name = metadata.record_path;
    writer.store(header, metadata.record);
    writer.finish(comment);
    return writer;
}

// Is the old archive what the plan would write?
bool is_same(const ZipWriter& writer, ByteView old) {
    if (writer.size() != old.size()) {
        return false;
    }
    std::uint64_t at = 0;
    for (const ZipPiece& piece : writer.pieces()) {
        const bool copied_in_place = piece.copied.empty() || piece.copied.data() == old.data() + at + piece.made.size();
        if (!copied_in_place || old.slice(at, piece.made.size(), "a piece").text() != piece.made) {
            return false;
        }
        at += piece.size();
    }
    return true;
}

// Goes once through a file that was written: hashes it, and on the way compares pieces of it with the old ones.
class Reread {
public:
    explicit Reread(ByteView file) : file_(file) {}

    // `copy` must be part of the file, behind what was compared before.
    bool is_same(ByteView copy, ByteView old) {
        if (copy.size() != old.size() || copy.origin() < position_) {
            return false;
        }
        hash_to(copy.origin());
        for (std::uint64_t at = 0; at < old.size(); at += kPiece) {
            const ByteView piece = old.clipped(at, kPiece);
            if (copy.clipped(at, kPiece).text() != piece.text()) {
                return false;
            }
            release_pages(piece);
            hash_to(copy.origin() + at + piece.size());
        }
        return true;
    }

    // Of the whole file, in hex.
    std::string hash() {
        hash_to(file_.size());
        return to_hex(hash_.finish());
    }

private:
    static constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;

    void hash_to(std::uint64_t end) {
        while (position_ < end) {
            const ByteView piece = file_.clipped(position_, std::min(kPiece, end - position_));
            hash_.add(piece);
            release_pages(piece);
            position_ += piece.size();
        }
    }

    ByteView file_;
    Sha256 hash_;
    std::uint64_t position_ = 0;
};

bool same_header(const ZipMember& copy, const ZipMember& member) {
    return copy.name == member.name && copy.method == member.method && copy.crc32 == member.crc32 &&
           copy.size == member.size && copy.time == member.time && copy.made_by == member.made_by &&
           copy.internal_attributes == member.internal_attributes &&
           copy.external_attributes == member.external_attributes;
}

Error went_wrong(std::string_view what) {
    return unchecked(fmt::format("the stamped wheel was read back and is not what it should be: {}", what),
                     "the wheel is as it was; this is a fault of this program or of the disk, please report it");
}

// The files of the new wheel, as check_record wants them.
std::vector<FileDigest> files_of(const Inventory& inventory, const Metadata& metadata) {
    std::vector<FileDigest> files;
    std::copy_if(inventory.digests.begin(), inventory.digests.end(), std::back_inserter(files),
                 [&](const FileDigest& digest) { return digest.name != metadata.stamp_path; });
    files.push_back({metadata.stamp_path, metadata.stamp.size(), 0, sha256_of(metadata.stamp)});
    return files;
}

// Reads what was written as any reader would, and compares it with the old wheel. The SHA-256 of it all.
std::string check_result(ByteView file, const std::vector<ZipMember>& old, const Metadata& metadata,
                         const Inventory& inventory) {
    const std::vector<ZipMember> members = read_zip(file);
    Reread reread(file);
    auto next = members.begin();
    for (const ZipMember& member : old) {
        if (metadata.replaces(member)) {
            continue;
        }
        if (next == members.end() || !same_header(*next, member) || !reread.is_same(next->data, member.data)) {
            throw went_wrong(fmt::format("{} differs", member.name));
        }
        ++next;
    }
    if (members.end() - next != 2 || next[0].name != metadata.stamp_path || next[1].name != metadata.record_path ||
        next[0].data.text() != metadata.stamp || next[1].data.text() != metadata.record) {
        throw went_wrong("the stamp and RECORD are not at its end");
    }
    for (const ZipMember& member : members) {
        if (has_descriptor(member) || !member.comment.empty()) {
            throw went_wrong(fmt::format("{} has a data descriptor or a comment", member.name));
        }
    }
    const std::string dist_info = metadata.record_path.substr(0, metadata.record_path.find('/'));
    const std::vector<Finding> findings =
        check_record(parse_record(metadata.record), files_of(inventory, metadata), dist_info);
    if (!findings.empty()) {
        throw went_wrong(fmt::format("{}: {}", findings[0].place, findings[0].message));
    }
    return reread.hash();
}

Stamped replace(Replacement& replacement, const ZipWriter& writer, const std::vector<ZipMember>& members,
                const Metadata& metadata, const Inventory& inventory) {
    for (const ZipPiece& piece : writer.pieces()) {
        replacement.append(piece.made);
        replacement.append_old(piece.copied);
    }
    const MappedFile written = replacement.written();
    Stamped stamped = {check_result(written.view(), members, metadata, inventory), written.view().size(), true};
    stamped.lock = replacement.commit();
    return stamped;
}

// An Error for the first thing that forbids stamping.
void refuse_bad(const Inventory& inventory) {
    const std::vector<Finding> findings = check_wheel(inventory);
    const auto bad = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return finding.severity == Severity::error; });
    if (bad != findings.end()) {
        throw unchecked(bad->message, bad->fix).inside(bad->place);
    }
}

}  // namespace

Stamped stamp_wheel(const Inventory& inventory, std::string_view build_info,
                    std::optional<std::int64_t> source_date_epoch) {
    refuse_bad(inventory);
    return inside(inventory.file_name, [&] {
        if (build_info.size() > kMaxStampSize) {
            throw unchecked(
                fmt::format("the stamp would be {} bytes long, the limit is {}", build_info.size(), kMaxStampSize));
        }
        Replacement replacement(inventory.path);
        const ByteView old = replacement.old();
        const std::vector<ZipMember> members = read_zip(old);
        check_unchanged(inventory, old.size(), members);
        const Metadata metadata = make_metadata(members, build_info);
        const ZipWriter writer = plan(members, metadata, source_date_epoch, archive_comment(old));
        if (is_same(writer, old)) {
            return Stamped{Reread(old).hash(), old.size(), false};
        }
        return replace(replacement, writer, members, metadata, inventory);
    });
}

std::optional<std::string> read_stamp(const std::filesystem::path& wheel) {
    return inside(wheel.filename().string(), [&]() -> std::optional<std::string> {
        const MappedFile file(wheel);
        const std::vector<ZipMember> members = read_zip(file.view());
        const std::vector<std::string> folders = dist_info_folders(members);
        if (folders.size() > 1) {
            throw unchecked(
                fmt::format("{} folders *.dist-info in it, expected one: {}", folders.size(), enumerate(folders, 5)),
                "build the wheel again, with a tool that writes wheels");
        }
        const ZipMember* stamp = folders.empty() ? nullptr : find_member(members, folders.front() + "/" + kStampName);
        return stamp == nullptr ? std::nullopt : std::optional(read_small(*stamp, kMaxStampSize));
    });
}

std::optional<std::int64_t> source_date_epoch() {
    const char* value = std::getenv("SOURCE_DATE_EPOCH");
    const std::string_view text = value == nullptr ? "" : value;
    if (text.empty()) {
        return std::nullopt;
    }
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
        throw bad_usage(fmt::format("SOURCE_DATE_EPOCH is '{}', expected a whole number of seconds since 1970",
                                    printable(text.substr(0, 100))),
                        "set it by `git log -1 --format=%ct`, or unset it");
    }
    // A number too large for 64 bits is far outside of what a zip archive can hold in any case.
    constexpr auto kFarthest = std::numeric_limits<std::int64_t>::max();
    return error == std::errc::result_out_of_range ? (text.front() == '-' ? -kFarthest : kFarthest) : seconds;
}

}  // namespace wheelarch
