#include "audit/state_file.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr char kMagic[] = "wheelarch_audit_state";
constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // a result is kept small

std::string header_line(const std::string& digest) {
    return json::serialize(json::object{{kMagic, 1}, {"digest", digest}}) + '\n';
}

bool is_header(std::string_view line) {
    return line.starts_with(fmt::format("{{\"{}\":", kMagic));
}

}  // namespace

std::optional<FileMark> mark_of(const fs::path& file) {
    std::error_code failure;
    const std::uint64_t size = fs::file_size(file, failure);
    if (failure) {
        return std::nullopt;
    }
    const auto modified = fs::last_write_time(file, failure).time_since_epoch();
    return failure
               ? std::nullopt
               : std::optional(FileMark{size, std::chrono::duration_cast<std::chrono::nanoseconds>(modified).count()});
}

StateFile::StateFile(fs::path path, const std::string& digest) : path_(std::move(path)) {
    inside(printable(path_.string()), [&] {
        read(header_line(digest));
        file_.open(path_, std::ios::binary | std::ios::app);
        if (!file_) {
            throw unchecked(fmt::format("cannot open the file: {}", std::strerror(errno)),
                            "check that it can be written");
        }
    });
}

void StateFile::read(const std::string& header) {
    std::error_code failure;
    if (!fs::exists(path_, failure) || (fs::is_regular_file(path_, failure) && fs::file_size(path_, failure) == 0)) {
        write_file(path_, header);
        return;
    }
    std::uintmax_t whole = 0;  // up to the end of the last whole line
    {
        const MappedFile file(path_);
        const std::string_view text = file.view().text();
        if (!is_header(text)) {
            throw bad_usage("it is no state file of `wheelarch audit`, and is left as it is",
                            "give --state a file of its own");
        }
        was_of_another_ = !text.starts_with(header);
        whole = text.rfind('\n') + 1;
        if (!was_of_another_) {
            read_lines(text.substr(header.size(), whole - header.size()));
        }
    }
    if (was_of_another_) {
        write_file(path_, header);
    } else {
        fs::resize_file(path_, whole);
    }
}

// A line that is not understood is as if it were not there: its wheel is looked at again.
void StateFile::read_lines(std::string_view lines) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        boost::system::error_code failure;
        const json::value value = line.size() > kLongestLine ? json::value() : json::parse(line, failure);
        const json::object* object = failure ? nullptr : value.if_object();
        const json::value* size = object == nullptr ? nullptr : object->if_contains("size");
        const json::value* modified = object == nullptr ? nullptr : object->if_contains("modified");
        const json::value* result = object == nullptr ? nullptr : object->if_contains("result");
        if (size == nullptr || modified == nullptr || result == nullptr || !size->is_int64() || !modified->is_int64()) {
            continue;
        }
        try {
            Line read = {{static_cast<std::uint64_t>(size->as_int64()), modified->as_int64()},
                         audit_result_of(*result)};
            if (read.result.verdict != AuditVerdict::unreadable) {
                const std::string path = read.result.file;
                results_.insert_or_assign(path, std::move(read));
            }
        } catch (const Error&) {
            continue;
        }
    }
}

std::optional<AuditResult> StateFile::take(const std::string& file, const FileMark& mark) {
    const auto found = results_.find(valid_utf8(file));
    if (found == results_.end() || found->second.mark != mark) {
        return std::nullopt;
    }
    AuditResult result = std::move(found->second.result);
    results_.erase(found);
    result.file = file;
    return result;
}

void StateFile::add(const FileMark& mark, const AuditResult& result) {
    if (result.verdict == AuditVerdict::unreadable) {
        return;
    }
    const json::object line = {{"size", mark.size}, {"modified", mark.modified}, {"result", to_json(result)}};
    errno = 0;  // a stream sets none of its own
    file_ << json::serialize(line) + '\n' << std::flush;
    if (!file_) {
        throw unchecked(errno == 0 ? "cannot write" : fmt::format("cannot write: {}", std::strerror(errno)),
                        "check that its disk has space, and run it again: what is written in it counts")
            .inside(printable(path_.string()));
    }
}

}  // namespace wheelarch
