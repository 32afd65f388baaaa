#include "ledger/git_trust.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "ledger/git_address.hpp"
#include "ledger/git_config.hpp"
#include "ledger/git_config_keys.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHex = "0123456789abcdefABCDEF";

bool consists_of(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

bool take(std::string_view& text, std::string_view start) {
    const bool starts = text.starts_with(start);
    text.remove_prefix(starts ? start.size() : 0);
    return starts;
}

std::string_view take_until(std::string_view& text, char end) {
    const std::string_view taken = text.substr(0, text.find(end));
    text.remove_prefix(taken.size());
    return taken;
}

bool is_uuid(std::string_view text) {
    constexpr std::string_view kForm = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
    return text.size() == kForm.size() && std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
               return form == '-' ? c == '-' : kHex.find(c) != std::string_view::npos;
           });
}

// `https://HOST/` or `https://HOST:PORT/`, as the origin of a URL is written, and a slash.
bool is_origin(std::string_view url) {
    const GitAddress address = parse_git_address(url);
    constexpr std::string_view kHost = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const std::size_t mark = url.find("://");
    return address.is_web() && !address.host.empty() && url.ends_with('/') &&
           consists_of(url.substr(mark + 3, url.size() - mark - 4), kHost);
}

// Of a server for its own address. An http one is no danger: git sends this header, and we no token.
bool is_token_header(const GitSetting& setting) {
    std::string_view value = setting.value ? std::string_view(*setting.value) : std::string_view();
    constexpr std::string_view kStart = "AUTHORIZATION: basic ";
    const bool starts = lower_case(value.substr(0, kStart.size())) == lower_case(kStart);
    value.remove_prefix(std::min(kStart.size(), value.size()));
    constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=*";
    return starts && is_origin(setting.subsection()) && consists_of(value, kBase64);
}

// Git hands it to a shell, so nothing in it may be a surprise: the ssh is the one of PATH.
bool is_ssh_of_checkout(std::string_view value) {
    if (!take(value, "\"")) {
        return false;
    }
    const fs::path program(take_until(value, '"'));
    const fs::path usual = find_on_path("ssh");
    std::error_code ignored;
    const bool is_usual = !usual.empty() && (program == usual || fs::equivalent(program, usual, ignored)) &&
                          program.is_absolute() && program.string().find_first_of("$`") == std::string::npos;
    if (!is_usual || !take(value, "\" -i \"$RUNNER_TEMP/")) {
        return false;
    }
    const std::string_view id = take_until(value, '"');
    if (!is_uuid(id) || !take(value, "\"")) {
        return false;
    }
    take(value, " -o StrictHostKeyChecking=yes -o CheckHostIP=no");
    return value == fmt::format(" -o \"UserKnownHostsFile=$RUNNER_TEMP/{}_known_hosts\"", id);
}

// From ssh to https of the same server.
bool is_https_for_ssh(const GitSetting& setting) {
    const std::string_view base = setting.subsection();
    if (!is_origin(base) || !setting.value) {
        return false;
    }
    const GitAddress to = parse_git_address(base);
    const bool is_safe =
        to.kind == GitAddress::Kind::https || is_same_server(to, parse_git_address(environment("GITHUB_SERVER_URL")));
    std::string_view value = *setting.value;
    if (take(value, "org-")) {
        const std::string_view number = take_until(value, '@');
        return is_safe && to.host == "github.com" && consists_of(number, "0123456789") && value == "@github.com:";
    }
    return is_safe && lower_case(value) == fmt::format("git@{}:", to.host);
}

bool is_lfs(const GitSetting& setting) {
    static const std::map<std::string_view, std::set<std::string_view>> kWritten = {
        {"filter.lfs.clean", {"git-lfs clean -- %f"}},
        {"filter.lfs.smudge", {"git-lfs smudge -- %f", "git-lfs smudge --skip -- %f"}},
        {"filter.lfs.process", {"git-lfs filter-process", "git-lfs filter-process --skip"}},
        {"filter.lfs.required", {"true"}}};
    const auto found = kWritten.find(setting.key);
    return found != kWritten.end() && found->second.contains(setting.text());
}

bool is_false(const std::string& value) {
    const std::string lower = lower_case(value);
    return lower == "false" || lower == "no" || lower == "off" || lower == "0" || lower.empty();
}

bool is_under(const fs::path& file, const fs::path& folder) {
    std::error_code failure;
    const fs::path relative =
        fs::weakly_canonical(file, failure).lexically_relative(fs::weakly_canonical(folder, failure));
    return !failure && !relative.empty() && *relative.begin() != fs::path("..") && relative != fs::path(".");
}

class Trust {
public:
    // `included`: of the files of checkout, which hold a header and nothing else.
    void read(const fs::path& file, bool included = false) {
        refused_.clear();
        for (const GitSetting& setting : read_git_config(file)) {
            const GitKeyPower power = git_key_power(setting.key);
            const bool is_shaped = power == GitKeyPower::by_shape && has_shape(setting, included);
            if (!is_shaped && (included || power != GitKeyPower::none)) {
                refuse(setting, power == GitKeyPower::none ? GitKeyPower::by_shape : power);
            }
            note_promisor(setting);
        }
        settle();
        if (!refused_.empty()) {
            throw error().inside(printable(file.string()));
        }
    }

private:
    void refuse(const GitSetting& setting, GitKeyPower power) {
        const std::string said =
            fmt::format("line {}: {} {}", setting.line, printable(setting.written), power_text(power));
        if (std::find(refused_.begin(), refused_.end(), said) == refused_.end()) {
            refused_.push_back(said);
        }
    }

    Error error() const {
        constexpr std::size_t kMost = 5;
        return unchecked(
            fmt::format("{}. Git would follow {}, and anybody may have written this file: it belongs to the "
                        "repository",
                        enumerate(refused_, kMost), refused_.size() == 1 ? "it" : "them"),
            "take it out, or put it into your own configuration (`git config --global`); if you trust whoever "
            "wrote this file, add --trust-git-config (in the action: `extra-args: --trust-git-config`)");
    }

    bool has_shape(const GitSetting& setting, bool included) {
        const std::string& key = setting.key;
        if (included) {
            return key.starts_with("http.") && is_token_header(setting);
        }
        if (key == "core.sshcommand") {
            return is_ssh_of_checkout(setting.text());
        }
        if (key == "core.fsmonitor") {
            return is_false(setting.text());  // `true` starts a daemon
        }
        if (key.starts_with("filter.")) {
            return is_lfs(setting);
        }
        if (key.starts_with("http.")) {
            return is_token_header(setting);
        }
        if (key.starts_with("url.")) {
            return is_https_for_ssh(setting);
        }
        if (key.starts_with("submodule.")) {
            return !setting.text().starts_with('!');
        }
        if (key.starts_with("includeif.")) {
            return is_include_of_checkout(setting);
        }
        return is_remote_address(setting);
    }

    // One that is not there, as of another machine or of the other side of a container, has no effect.
    bool is_include_of_checkout(const GitSetting& setting) {
        const fs::path file(setting.text());
        const std::string base = file.filename().string();
        std::string_view name = base;
        constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
        const bool is_named =
            take(name, "git-credentials-") && consists_of(take_until(name, '.'), kPlain) && name == ".config";
        std::error_code ignored;
        // That of a container has no drive on Windows either.
        const bool is_whole = file.is_absolute() || setting.text().starts_with("/github/runner_temp/");
        if (!setting.subsection().starts_with("gitdir:") || !is_named || !is_whole) {
            return false;
        }
        if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found) {
            return true;
        }
        const std::string temporary = environment("RUNNER_TEMP");
        if ((temporary.empty() || !is_under(file, temporary)) && !is_under(file, "/github/runner_temp")) {
            return false;
        }
        if (seen_.insert(file.string()).second) {
            Trust().read(file, true);
        }
        return true;
    }

    // One address for each remote; a second for pushing if it is of the same server.
    bool is_remote_address(const GitSetting& setting) {
        const std::string address = setting.text();
        if (!setting.value || parse_git_address(address).kind == GitAddress::Kind::other) {
            return false;
        }
        const bool pushes = setting.key.ends_with(".pushurl");
        auto& known = (pushes ? push_addresses_ : addresses_)[std::string(setting.subsection())];
        const bool fresh = known.value.value_or("").empty() || known.text() == address;
        known = setting;
        return fresh;
    }

    // Lazily, git asks these for objects that are missing, whichever remote a fetch is from.
    void note_promisor(const GitSetting& setting) {
        const std::string_view key = setting.key;
        const bool by_remote =
            key.starts_with("remote.") && (key.ends_with(".promisor") || key.ends_with(".partialclonefilter"));
        const std::string name = by_remote                          ? std::string(setting.subsection())
                                 : key == "extensions.partialclone" ? setting.text()
                                                                    : "";
        if (!name.empty()) {
            promisors_.insert_or_assign(name, setting);
        }
    }

    void settle() {
        for (const auto& [name, push] : push_addresses_) {
            const auto usual = addresses_.find(name);
            const bool same = usual != addresses_.end() &&
                              (usual->second.text() == push.text() ||
                               is_same_server(parse_git_address(usual->second.text()), parse_git_address(push.text())));
            if (!same) {
                refuse(push, GitKeyPower::moves);
            }
        }
        for (const auto& [name, setting] : promisors_) {
            if (name != "origin" && (addresses_.size() > 1 || !addresses_.contains(name))) {
                refuse(setting, GitKeyPower::moves);
            }
        }
    }

    std::set<std::string> seen_;
    std::map<std::string, GitSetting> addresses_;
    std::map<std::string, GitSetting> push_addresses_;
    std::map<std::string, GitSetting> promisors_;
    std::vector<std::string> refused_;  // of the file that is read
};

}  // namespace

fs::path common_folder(const fs::path& git_dir) {
    std::ifstream file(git_dir / "commondir", std::ios::binary);
    std::string line;
    constexpr std::size_t kLongest = 4096;
    line.resize(kLongest);
    file.read(line.data(), kLongest);
    line.resize(static_cast<std::size_t>(file.gcount()));
    line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
    return line.empty() ? git_dir : (git_dir / line).lexically_normal();
}

void require_trustworthy(const fs::path& git_dir) {
    Trust trust;
    trust.read(common_folder(git_dir) / "config");
    trust.read(git_dir / "config.worktree");
    if (common_folder(git_dir) != git_dir) {
        trust.read(common_folder(git_dir) / "config.worktree");
    }
}

}  // namespace wheelarch
