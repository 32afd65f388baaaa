#include "wheel/header_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
    const std::size_t start = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(start, text.find_last_not_of(kBlanks) + 1 - start);
}

// Without its end, LF or CRLF.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

// RFC 5322: printable ASCII but for the colon.
bool is_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string in_quotes(std::string_view line) {
    constexpr std::size_t kLongest = 60;
    return "'" + printable(valid_utf8(line.substr(0, kLongest))) + (line.size() > kLongest ? "…" : "") + "'";
}

}  // namespace

std::vector<std::string> HeaderLines::values(std::string_view lower_case_key) const {
    std::vector<std::string> found;
    for (const HeaderLine& line : lines) {
        if (line.key == lower_case_key) {
            found.push_back(line.value);
        }
    }
    return found;
}

HeaderLines parse_header_lines(std::string_view text) {
    HeaderLines headers;
    if (text.starts_with("\xef\xbb\xbf")) {
        headers.problem = "it begins with a byte order mark";
        return headers;
    }
    if (valid_utf8(text) != text) {
        headers.problem = "it is not UTF-8";
        return headers;
    }
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        const std::size_t colon = std::min(line.find(':'), line.size());
        if (line.empty()) {
            break;
        }
        if (line.find('\r') != std::string_view::npos || line.find('\0') != std::string_view::npos) {
            headers.problem = fmt::format("line {} ({}) holds a control character", number, in_quotes(line));
            break;
        }
        if ((line.front() == ' ' || line.front() == '\t') && !headers.lines.empty()) {
            std::string& value = headers.lines.back().value;
            headers.lines.back().ends_in_blank = kBlanks.find(line.back()) != std::string_view::npos;
            const std::string_view more = trimmed(line);
            value += (value.empty() || more.empty() ? "" : " ") + std::string(more);
        } else if (colon < line.size() && is_key(line.substr(0, colon))) {
            headers.lines.push_back({lower_case(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))),
                                     kBlanks.find(line.back()) != std::string_view::npos});
        } else {
            headers.problem =
                fmt::format("line {} ({}) is not a header, and installers stop reading there", number, in_quotes(line));
            break;
        }
    }
    return headers;
}

}  // namespace wheelarch
