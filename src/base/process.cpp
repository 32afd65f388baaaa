#include "base/process.hpp"

#include <algorithm>
#include <array>

#include "base/environment.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

#ifdef _WIN32
constexpr char kSeparator = ';';
#else
constexpr char kSeparator = ':';
#endif

}  // namespace

bool is_kept_back(std::string_view variable, PassOn secrets) {
    static constexpr std::array<std::string_view, 10> kWords = {"token",       "secret",  "passw",  "passphrase",
                                                                "credential",  "api_key", "apikey", "access_key",
                                                                "private_key", "auth_key"};
    const std::string name = lower_case(variable);
    const auto is_name = [&](const char* other) { return name == lower_case(other); };
    if (std::any_of(kNotPassedOn.begin(), kNotPassedOn.end(), is_name)) {
        return true;
    }
    const bool is_setting = name.starts_with("git_config_key_") || name.starts_with("git_config_value_") ||
                            name == "git_config_count" || name == "git_config_parameters";
    if (secrets == PassOn::all || is_setting) {
        return secrets == PassOn::nothing;
    }
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

std::vector<std::filesystem::path> search_folders() {
    std::vector<std::filesystem::path> folders;
    const std::string path = environment("PATH");
    std::string_view rest = path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(kSeparator), rest.size());
        std::string_view folder = rest.substr(0, end);
#ifdef _WIN32
        if (folder.size() > 1 && folder.front() == '"' && folder.back() == '"') {
            folder = folder.substr(1, folder.size() - 2);
        }
#endif
        if (std::filesystem::path(folder).is_absolute()) {
            folders.emplace_back(folder);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
}

std::string search_path() {
    std::string text;
    for (const std::filesystem::path& folder : search_folders()) {
        text += (text.empty() ? "" : std::string(1, kSeparator)) + folder.string();
    }
    return text;
}

}  // namespace wheelarch
