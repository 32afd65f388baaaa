#include "wheel/record_check.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostFaults = 50;
constexpr char kPackAgain[] = "pack the wheel again, which writes RECORD anew: `wheel unpack`, `wheel pack`";

class RecordChecker {
public:
    RecordChecker(const Record& record, const std::vector<FileDigest>& files, std::string_view dist_info)
        : record_(record), files_(files), dist_info_(dist_info), own_path_(std::string(dist_info) + "/RECORD") {}

    std::vector<Finding> check() {
        note_backslashes();
        if (!record_.problem.empty()) {
            add(own_path_, record_.problem);
            return std::move(findings_);
        }
        for (const RecordRow& row : record_.rows) {
            take_row(row);
        }
        for (const FileDigest& file : files_) {
            check_file(file);
        }
        for (const RecordRow& row : record_.rows) {
            if (const auto left = rows_.find(row.path); left != rows_.end() && left->second == &row) {
                add(row.path, fmt::format("RECORD lists it in line {}, but the wheel does not hold it", row.line));
            }
        }
        if (faults_ > kMostFaults) {
            const std::size_t more = faults_ - kMostFaults;
            findings_.push_back({"record-mismatch", Severity::error, own_path_,
                                 fmt::format("{} like these", count_of(more, "more fault")), kPackAgain});
        }
        return std::move(findings_);
    }

private:
    void add(const std::string& path, std::string message) {
        if (++faults_ <= kMostFaults) {
            findings_.push_back({"record-mismatch", Severity::error, path, std::move(message), kPackAgain});
        }
    }

    void note_backslashes() {
        const auto with = [](const RecordRow& row) { return row.backslashes; };
        const auto first = std::find_if(record_.rows.begin(), record_.rows.end(), with);
        if (first == record_.rows.end()) {
            return;
        }
        const auto count =
            static_cast<unsigned long long>(std::count_if(record_.rows.begin(), record_.rows.end(), with));
        findings_.push_back(
            {"record-backslash", Severity::warning, own_path_,
             fmt::format("{} backslashes instead of slashes in the path, the first in line {} ({})",
                         count_of(count, "row") + (count == 1 ? " has" : " have"), first->line, first->path),
             "stamping rewrites them; build with a tool that writes slashes on Windows too"});
    }

    void take_row(const RecordRow& row) {
        if (is_exempt(row.path, dist_info_)) {
            return;
        }
        const auto [place, is_new] = rows_.emplace(row.path, &row);
        const RecordRow& first = *place->second;
        if (!is_new && (first.hash != row.hash || first.size != row.size)) {
            add(row.path, fmt::format("lines {} and {} of RECORD give it two hashes or sizes", first.line, row.line));
        }
    }

    void check_file(const FileDigest& file) {
        const auto found = rows_.find(file.name);
        if (found == rows_.end()) {
            if (!is_exempt(file.name, dist_info_)) {
                add(file.name, "RECORD does not list it");
            }
            return;
        }
        const RecordRow& row = *found->second;
        rows_.erase(found);
        if (std::string wrong = wrong_hash(row, file); !wrong.empty()) {
            add(file.name, std::move(wrong));
        } else if (!row.size.empty() && row.size != std::to_string(file.size)) {
            add(file.name, fmt::format("it is {} long, but RECORD says {}", count_of(file.size, "byte"), row.size));
        }
    }

    // Empty if the row has the hash of the file.
    static std::string wrong_hash(const RecordRow& row, const FileDigest& file) {
        constexpr std::string_view kPrefix = "sha256=";
        if (row.hash.empty()) {
            return "RECORD lists it without a hash";
        }
        const std::string_view hash = row.hash;
        const std::string_view algorithm = hash.substr(0, hash.find('='));
        if (algorithm == "sha384" || algorithm == "sha512") {
            return fmt::format("RECORD has its {}, and this program reads only sha256", algorithm);
        }
        if (!hash.starts_with(kPrefix)) {
            return fmt::format("RECORD has '{}' for its hash, and only sha256 or stronger may stand there",
                               hash.substr(0, 80));
        }
        if (digest_from_base64url(hash.substr(kPrefix.size())) != file.sha256) {
            return fmt::format("its hash is sha256={}, but RECORD says {}", to_base64url(file.sha256),
                               hash.substr(0, 80));
        }
        return {};
    }

    const Record& record_;
    const std::vector<FileDigest>& files_;
    std::string_view dist_info_;
    std::string own_path_;
    std::unordered_map<std::string_view, const RecordRow*> rows_;  // those whose file has not been seen
    std::size_t faults_ = 0;
    std::vector<Finding> findings_;
};

}  // namespace

bool is_exempt(std::string_view path, std::string_view dist_info) {
    if (!path.starts_with(dist_info) || !path.substr(dist_info.size()).starts_with('/')) {
        return false;
    }
    const std::string_view name = path.substr(dist_info.size() + 1);
    return name == "RECORD" || name == "RECORD.jws" || name == "RECORD.p7s";
}

std::vector<Finding> check_record(const Record& record, const std::vector<FileDigest>& files,
                                  std::string_view dist_info) {
    return RecordChecker(record, files, dist_info).check();
}

}  // namespace wheelarch
