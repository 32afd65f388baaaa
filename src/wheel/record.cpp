#include "wheel/record.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

// Reads CSV row by row. A quote opens a quoted field only at its start, and two of them inside one stand for one.
class CsvReader {
public:
    explicit CsvReader(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    std::uint64_t line() const { return line_; }

    // The fields of the next row, none for a blank line; nothing if a quote is not closed.
    std::optional<std::vector<std::string>> row() {
        std::vector<std::string> fields;
        if (take_line_end()) {
            return fields;
        }
        do {
            fields.emplace_back();
            if (!take_field(fields.back())) {
                return std::nullopt;
            }
        } while (take(','));
        take_line_end();
        return fields;
    }

private:
    bool take(char wanted) {
        const bool found = rest_.starts_with(wanted);
        rest_.remove_prefix(found ? 1 : 0);
        return found;
    }

    // LF, CR or both.
    bool take_line_end() {
        const bool carriage_return = take('\r');
        const bool ended = take('\n') || carriage_return;
        line_ += ended ? 1 : 0;
        return ended;
    }

    bool take_field(std::string& field) {
        if (take('"') && !take_quoted(field)) {
            return false;
        }
        const std::size_t size = std::min(rest_.find_first_of(",\r\n"), rest_.size());
        field += rest_.substr(0, size);
        rest_.remove_prefix(size);
        return true;
    }

    bool take_quoted(std::string& field) {
        for (;;) {
            const std::size_t quote = rest_.find('"');
            if (quote == std::string_view::npos) {
                return false;
            }
            const std::string_view content = rest_.substr(0, quote);
            field += content;
            line_ += static_cast<std::uint64_t>(std::count(content.begin(), content.end(), '\n'));
            rest_.remove_prefix(quote + 1);
            if (!take('"')) {
                return true;
            }
            field += '"';
        }
    }

    std::string_view rest_;
    std::uint64_t line_ = 1;
};

RecordRow row_of(std::vector<std::string>&& fields, std::uint64_t line) {
    RecordRow row = {std::move(fields[0]), std::move(fields[1]), std::move(fields[2]), line, false};
    row.backslashes = row.path.find('\\') != std::string::npos;
    std::replace(row.path.begin(), row.path.end(), '\\', '/');
    return row;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

}  // namespace

Record parse_record(std::string_view text) {
    Record record;
    CsvReader reader(text);
    while (!reader.at_end()) {
        const std::uint64_t line = reader.line();
        std::optional<std::vector<std::string>> fields = reader.row();
        if (!fields) {
            record.problem = fmt::format("line {}: a quote is not closed", line);
            return record;
        }
        if (fields->empty()) {
            continue;
        }
        if (fields->size() != 3) {
            record.problem =
                fmt::format("line {}: {}, expected 3 (path, hash, size)", line, count_of(fields->size(), "field"));
            return record;
        }
        record.rows.push_back(row_of(std::move(*fields), line));
    }
    return record;
}

std::string write_record(const std::vector<RecordRow>& rows) {
    std::string text;
    for (const RecordRow& row : rows) {
        for (const std::string* field : {&row.path, &row.hash, &row.size}) {
            text += csv_field(*field) + (field == &row.size ? '\n' : ',');
        }
    }
    return text;
}

}  // namespace wheelarch
