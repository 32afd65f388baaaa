#include "policy/farm_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// Of all files together: reading that much YAML takes seconds, and farms have less than a tenth.
constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 20;
constexpr std::size_t kMostNames = 10'000;

bool is_inside(const fs::path& path, const fs::path& folder) {
    const auto [at_path, at_folder] = std::mismatch(path.begin(), path.end(), folder.begin(), folder.end());
    return at_folder == folder.end();
}

// As git has them: on Windows a checkout makes CRLF of LF.
std::string with_lf(std::string_view text) {
    std::string result(text);
    boost::algorithm::replace_all(result, "\r\n", "\n");
    return result;
}

}  // namespace

FarmFolder::FarmFolder(const fs::path& root) : root_(root) {
    std::error_code failed;
    real_root_ = fs::canonical(root, failed);
    if (failed || !fs::is_directory(real_root_, failed)) {
        throw bad_usage(fmt::format("the farm {} is no folder", printable(root.string())),
                        "give the folder that holds packages/ with --farm");
    }
}

bool FarmFolder::has(const std::string& path) const {
    std::error_code failed;
    return fs::symlink_status(root_ / path, failed).type() != fs::file_type::not_found;
}

bool FarmFolder::is_folder(const std::string& path) const {
    std::error_code failed;
    return fs::is_directory(root_ / path, failed);
}

FarmFile FarmFolder::read(const std::string& path) {
    return inside(shown(path), [&] {
        std::error_code failed;
        const fs::path real = fs::canonical(root_ / path, failed);
        if (failed) {
            throw unchecked(fmt::format("cannot open the file: {}", failed.message()),
                            "check the path, its permissions and where its links lead");
        }
        if (!is_inside(real, real_root_)) {
            throw bad_usage("a link leads out of the farm", "put the file itself there");
        }
        const MappedFile file(real);
        read_ += file.view().size();
        if (read_ > kMostBytes) {
            throw bad_usage(fmt::format("with this file of {} bytes the farm's files are more than {} bytes",
                                        file.view().size(), kMostBytes),
                            "check what the file is");
        }
        std::string bytes = with_lf(file.view().text());
        hash_.add(ByteView(fmt::format("{}\n{}\n", path, bytes.size())));
        hash_.add(ByteView(bytes));
        return FarmFile{path, std::make_shared<const std::string>(shown(path)), std::move(bytes)};
    });
}

std::optional<FarmFile> FarmFolder::read_if_there(const std::string& path) {
    return has(path) ? std::optional(read(path)) : std::nullopt;
}

std::vector<std::string> FarmFolder::names_in(const std::string& path) const {
    return inside(shown(path), [&] {
        std::vector<std::string> names;
        std::error_code failed;
        for (fs::directory_iterator at(root_ / path, failed), end; !failed && at != end; at.increment(failed)) {
            names.push_back(at->path().filename().string());
            if (names.size() > kMostNames) {
                throw bad_usage(fmt::format("the folder holds more than {} files", kMostNames),
                                "check that it is the farm's");
            }
        }
        if (failed) {
            throw unchecked(fmt::format("cannot list the folder: {}", failed.message()),
                            "check the path and its permissions");
        }
        std::sort(names.begin(), names.end());
        return names;
    });
}

std::string FarmFolder::shown(const std::string& path) const {
    return printable(root_ == "." || root_.empty() ? path : (root_ / path).generic_string());
}

}  // namespace wheelarch
