#include "ledger/git_program.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <boost/beast/core/detail/base64.hpp>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "ledger/git_address.hpp"

namespace wheelarch {
namespace {

std::string base64(const std::string& text) {
    namespace digits = boost::beast::detail::base64;
    std::string encoded(digits::encoded_size(text.size()), '\0');
    encoded.resize(digits::encode(encoded.data(), text.data(), text.size()));
    return encoded;
}

// A secret that was pasted often ends in a newline. Within a header it would begin another.
std::string trimmed_token(const std::string& token) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = token.find_first_not_of(kBlank);
    if (first == std::string::npos) {
        return {};
    }
    std::string text = token.substr(first, token.find_last_not_of(kBlank) - first + 1);
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c >= 0x7f; })) {
        throw bad_usage("the token holds blanks or characters that are not ASCII",
                        "give the token alone, e.g. ${{ github.token }}");
    }
    return text;
}

// Variables that would lead git to another repository, or a program to a window.
constexpr const char* kUnset[] = {"GIT_DIR",
                                  "GIT_WORK_TREE",
                                  "GIT_INDEX_FILE",
                                  "GIT_OBJECT_DIRECTORY",
                                  "GIT_COMMON_DIR",
                                  "GIT_NAMESPACE",
                                  "GIT_PREFIX",
                                  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                  "GIT_SHALLOW_FILE",
                                  "GIT_QUARANTINE_PATH",
                                  "GIT_NO_LAZY_FETCH",
                                  "GIT_CEILING_DIRECTORIES",
                                  "SSH_ASKPASS",
                                  "LANGUAGE",
                                  "GIT_INTERNAL_SUPER_PREFIX"};

// No helper program that an address names. Folders only where we name one, and not a submodule of a fetched tree.
constexpr const char* kTransports[] = {"-c", "protocol.allow=never",       "-c", "protocol.https.allow=always",
                                       "-c", "protocol.http.allow=always", "-c", "protocol.ssh.allow=always",
                                       "-c", "protocol.file.allow=user"};

// Settings handed on in the environment follow those that the caller hands on that way.
class EnvironmentSettings {
public:
    explicit EnvironmentSettings(EnvironmentChanges& changes) : changes_(changes) {
        const std::string count = environment("GIT_CONFIG_COUNT");
        std::from_chars(count.data(), count.data() + count.size(), count_);  // git reports what is no number
    }
    void add(const std::string& key, const std::string& value) {
        changes_[fmt::format("GIT_CONFIG_KEY_{}", count_)] = key;
        changes_[fmt::format("GIT_CONFIG_VALUE_{}", count_)] = value;
        changes_["GIT_CONFIG_COUNT"] = fmt::format("{}", ++count_);
    }

private:
    EnvironmentChanges& changes_;
    unsigned count_ = 0;
};

EnvironmentChanges common_environment() {
    EnvironmentChanges changes = {
        {"GIT_TERMINAL_PROMPT", "0"}, {"GCM_INTERACTIVE", "never"}, {"GIT_TRACE_REDACT", "1"}, {"LC_ALL", "C"}};
    for (const char* name : kUnset) {
        changes[name] = std::nullopt;
    }
    return changes;
}

// The whole URL is the most specific key there is, so no other configured header comes on top; the empty value drops
// those that were configured before. With it no other credentials are needed: the empty helper drops all that are
// configured, and the empty GIT_ASKPASS goes before core.askPass.
void add_token(EnvironmentChanges& changes, const std::string& header, const std::vector<std::string>& urls) {
    EnvironmentSettings settings(changes);
    for (const std::string& url : urls) {
        const std::string key = fmt::format("http.{}.extraheader", url);
        settings.add(key, "");
        settings.add(key, header);
    }
    settings.add("credential.helper", "");
    changes["GIT_ASKPASS"] = "";
}

// An older one ignores GIT_CONFIG_COUNT, and so the token, without a word.
void require_token_support() {
    const std::filesystem::path git = find_on_path("git");
    if (git.empty()) {
        return;  // run() says so
    }
    constexpr std::string_view kMark = "git version ";
    const std::string output = run_program(git, {"--version"}, {std::chrono::seconds(60), 1 << 16}).output;
    const std::size_t start = output.starts_with(kMark) ? kMark.size() : output.size();
    const std::string text = output.substr(start, output.find_first_not_of("0123456789.", start) - start);
    const auto version = parse_major_minor(text.substr(0, text.find('.', text.find('.') + 1)));
    if (version && *version < std::pair(2U, 31U)) {
        throw unchecked(fmt::format("git {} is too old to be given a token", text),
                        "install git 2.31 or newer, or let actions/checkout keep its credentials and give no token");
    }
}

}  // namespace

GitProgram::GitProgram(std::filesystem::path git_dir, GitAccess access)
    : git_dir_(std::move(git_dir)), access_(std::move(access)), environment_(common_environment()) {
    const std::string token = trimmed_token(access_.token);
    if (token.empty()) {
        return;
    }
    const std::string encoded = base64("x-access-token:" + token);
    secrets_ = {token, encoded};
    std::vector<std::string> urls;
    for (const GitRoute& route : access_.routes) {
        const std::string url = without_user(route.used);
        const TokenRule rule = token_rule(route.asked, route.used);
        if (rule == TokenRule::sent && std::find(urls.begin(), urls.end(), url) == urls.end()) {
            urls.push_back(url);
        } else if (rule == TokenRule::other_server) {
            withheld_ = fmt::format("the token was not sent: insteadOf leads to {}, another server than that of {}",
                                    without_user(route.used), without_user(route.asked));
        }
    }
    if (!urls.empty()) {
        sends_token_ = true;
        add_token(environment_, "AUTHORIZATION: basic " + encoded, urls);
        require_token_support();
    }
}

// Asked when git would run: reading what is here does no harm.
void GitProgram::require_allowed() const {
    for (const GitRoute& route : access_.routes) {
        if (!access_.trusted && parse_git_address(route.used).kind == GitAddress::Kind::other) {
            throw unchecked(fmt::format("the address {} is of another kind than https, ssh and folders",
                                        printable(without_user(route.used))),
                            "give the remote such an address; if you trust whoever wrote it, add --trust-git-config");
        }
        if (!secrets_.empty() && token_rule(route.asked, route.used) == TokenRule::in_clear) {
            throw unchecked(fmt::format("the token would go to {} in clear", printable(without_user(route.used))),
                            "give the remote an https address; or, if the server asks for no token, give none "
                            "(in the action: `token: \"\"`)");
        }
    }
}

GitRun GitProgram::run(const std::vector<std::string>& arguments, std::chrono::seconds time_limit) const {
    const std::filesystem::path git = find_on_path("git");
    if (git.empty()) {
        throw unchecked(
            "there is no `git` in the folders of PATH, which fetching and pushing need",
            "install git; reading a ledger, writing one in a repository without remotes, and lint --sources "
            "go without");
    }
    require_allowed();
    // Naming the repository outright passes over the check of its owner in any version of git.
    // A remote that is a relative path counts from the work tree.
    const std::filesystem::path folder = git_dir_.has_filename() ? git_dir_ : git_dir_.parent_path();
    const bool has_tree = folder.filename() == ".git";
    std::vector<std::string> all = {"-C",
                                    (has_tree ? folder.parent_path() : folder).generic_string(),
                                    "--git-dir=" + git_dir_.generic_string(),
                                    "-c",
                                    "safe.directory=" + git_dir_.generic_string(),
                                    "-c",
                                    "core.hooksPath=/dev/null",
                                    "-c",
                                    "core.fsmonitor=false",
                                    "-c",
                                    "gc.auto=0",
                                    "-c",
                                    "maintenance.auto=false",
                                    "-c",
                                    "fetch.writeCommitGraph=false"};
    if (!access_.trusted) {
        all.insert(all.end(), std::begin(kTransports), std::end(kTransports));
    }
    all.insert(all.end(), arguments.begin(), arguments.end());
    ProcessLimits limits;
    limits.time = std::max(time_limit, std::chrono::seconds(1));
    // Without a token, the user's own programs bring credentials, perhaps from there.
    limits.secrets = sends_token_ ? PassOn::settings : PassOn::all;
    const ProcessResult result = run_program(git, all, limits, environment_);
    GitRun run = {.exit_code = result.exit_code,
                  .timed_out = result.timed_out,
                  .output = without_secrets(result.output),
                  .error = without_secrets(result.error)};
    if (!run.ok() && !withheld_.empty()) {
        run.error += withheld_ + "\n";
    }
    if (result.crashed && !result.timed_out) {
        throw unchecked(fmt::format("`git {}` was ended by a signal: {}", arguments.front(), words(run)),
                        "run it again; see whether the machine has run out of memory");
    }
    return run;
}

std::string GitProgram::words(const GitRun& run) {
    constexpr std::size_t kMostLines = 12;
    constexpr std::size_t kLongestLine = 300;
    std::vector<std::string> lines;
    std::string_view rest = run.error;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        line = line.substr(0, std::min(line.find_last_not_of(" \t") + 1, kLongestLine));
        if (!line.empty() && !line.starts_with("hint:")) {
            lines.push_back(printable(line));
        }
    }
    if (lines.empty()) {
        return fmt::format("exit {}", run.exit_code);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
        text += (i == 0 ? "" : " | ") + lines[i];
    }
    return lines.size() > kMostLines ? fmt::format("{} | and {} more lines", text, lines.size() - kMostLines) : text;
}

std::string GitProgram::without_secrets(std::string text) const {
    for (const std::string& secret : secrets_) {
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
            text.replace(at, secret.size(), "***");
        }
    }
    // Passwords in URLs.
    for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n/'\"", at + 3), text.size());
        const std::size_t sign = text.substr(0, end).rfind('@');
        if (sign != std::string::npos && sign > at + 3) {
            text.replace(at + 3, sign - at - 3, "***");
        }
    }
    return text;
}

}  // namespace wheelarch
