// METADATA and WHEEL: headers as in e-mail, up to the first blank line, as "Core metadata" and "Binary distribution
// format" on packaging.python.org have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct HeaderLine {
    std::string key;             // in lower case
    std::string value;           // without the blanks around it, and with the lines that continue it
    bool ends_in_blank = false;  // as it stands in the file
};

struct HeaderLines {
    std::vector<HeaderLine> lines;
    // Why installers differ on what else is in it, or refuse it: a line that is no header ends the headers for Python's
    // e-mail parser, and so hides what follows. Empty if all is well; else `lines` is what stands before.
    std::string problem;

    std::vector<std::string> values(std::string_view lower_case_key) const;
};

HeaderLines parse_header_lines(std::string_view text);

}  // namespace wheelarch
