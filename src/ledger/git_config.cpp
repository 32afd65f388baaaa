#include "ledger/git_config.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 20;

bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_name(int c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::vector<GitSetting> read() {
        if (text_.find('\0') != std::string_view::npos) {
            fail("a byte 0");
        }
        constexpr std::string_view kMark = "\xef\xbb\xbf";
        at_ = text_.starts_with(kMark) ? kMark.size() : 0;
        bool comment = false;
        while (true) {
            const int c = next();
            if (ended_) {
                return std::move(settings_);
            }
            if (c == '\n') {
                comment = false;
            } else if (comment || is_blank(c)) {
                continue;
            } else if (c == '#' || c == ';') {
                comment = true;
            } else if (c == '[') {
                read_section();
            } else if (is_letter(c) && !section_.empty()) {
                read_setting(c);
            } else {
                fail("neither a section nor a name");
            }
        }
    }

private:
    // The end of the file ends its line.
    int next() {
        if (at_ == text_.size()) {
            ended_ = true;
            return '\n';
        }
        if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
            ++at_;
        }
        const int c = static_cast<unsigned char>(text_[at_++]);
        line_ += c == '\n' ? 1 : 0;
        return c;
    }

    [[noreturn]] void fail(std::string_view what) const {
        throw unchecked(fmt::format("line {} is no line of git's configuration: {}", line_, what),
                        "correct the file: `git config --file FILE --list` reads it too");
    }

    // `[name]`, `[name.sub]`, `[name "sub"]`
    void read_section() {
        section_.clear();
        while (true) {
            const int c = next();
            if (c == ']' && !section_.empty()) {
                break;
            }
            if (is_blank(c) && !ended_) {
                read_subsection(c);
                break;
            }
            if (!is_name(c) && c != '.') {
                fail("a section's name has letters, digits, `-` and `.`");
            }
            section_ += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
        section_ += '.';
    }

    void read_subsection(int c) {
        while (is_blank(c)) {
            if (c == '\n') {
                fail("the section's `]` is missing");
            }
            c = next();
        }
        if (c != '"' || section_.empty()) {
            fail("a subsection is in quotes");
        }
        section_ += '.';
        for (c = next(); c != '"'; c = next()) {
            c = c == '\\' ? next() : c;
            if (c == '\n') {
                fail("the section's `\"` is missing");
            }
            section_ += static_cast<char>(c);
        }
        if (next() != ']') {
            fail("the section's `]` is missing");
        }
    }

    void read_setting(int c) {
        GitSetting setting = {.key = {}, .written = section_, .value = {}, .line = line_};
        for (; is_name(c) && !ended_; c = next()) {
            setting.written += static_cast<char>(c);
        }
        while (c == ' ' || c == '\t') {
            c = next();
        }
        if (c != '\n') {
            if (c != '=') {
                fail("`=` is expected after the name");
            }
            setting.value = read_value();
        }
        setting.key = setting.written;
        const std::size_t first = setting.key.find('.');
        const std::size_t last = setting.key.rfind('.');
        setting.key = lower_case(setting.key.substr(0, first)) + setting.key.substr(first, last - first) +
                      lower_case(setting.key.substr(last));
        settings_.push_back(std::move(setting));
    }

    std::string read_value() {
        std::string value;
        std::size_t kept = 0;  // without the blanks at its end
        bool quoted = false;
        bool comment = false;
        while (true) {
            int c = next();
            if (c == '\n') {
                if (quoted) {
                    fail("the value's `\"` is missing");
                }
                value.resize(kept);
                return value;
            }
            if (comment) {
                continue;
            }
            if (!quoted && is_blank(c)) {
                value += value.empty() ? "" : std::string(1, static_cast<char>(c));
                continue;
            }
            if (!quoted && (c == ';' || c == '#')) {
                comment = true;
                continue;
            }
            if (c == '"') {
                quoted = !quoted;
                kept = value.size();
                continue;
            }
            if (c == '\\') {
                c = escaped();
                if (c == '\n') {
                    kept = value.size();
                    continue;
                }
            }
            value += static_cast<char>(c == kNewLine ? '\n' : c);
            kept = value.size();
        }
    }

    static constexpr int kNewLine = 0x100;  // written as `\n`

    // A line feed: the line goes on in the next.
    int escaped() {
        switch (const int c = next(); c) {
            case 't': return '\t';
            case 'b': return '\b';
            case 'n': return kNewLine;
            case '\n':
            case '\\':
            case '"': return c;
            default: fail("an escape that git does not know");
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    bool ended_ = false;
    std::string section_;
    std::vector<GitSetting> settings_;
};

}  // namespace

std::string_view GitSetting::subsection() const {
    const std::size_t first = key.find('.');
    const std::size_t last = key.rfind('.');
    return first == last ? std::string_view() : std::string_view(key).substr(first + 1, last - first - 1);
}

std::vector<GitSetting> parse_git_config(std::string_view text) {
    return Reader(text).read();
}

std::vector<GitSetting> read_git_config(const std::filesystem::path& file) {
    return inside(printable(file.string()), [&] {
        std::error_code failure;
        const std::filesystem::file_status status = std::filesystem::status(file, failure);
        if (status.type() == std::filesystem::file_type::not_found) {
            return std::vector<GitSetting>();
        }
        const bool is_file = std::filesystem::is_regular_file(status);
        const std::uintmax_t size = is_file ? std::filesystem::file_size(file, failure) : 0;
        if (!is_file || failure || size > kLargest) {
            throw unchecked(is_file && !failure ? fmt::format("{} bytes: expected at most {}", size, kLargest)
                                                : std::string("it is no file that can be read"),
                            "a git configuration is a small file of text; check the repository out anew");
        }
        std::ifstream stream(file, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (!stream) {
            throw unchecked("it cannot be read", "check that this user may read it");
        }
        return parse_git_config(text);
    });
}

}  // namespace wheelarch
