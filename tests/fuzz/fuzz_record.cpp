// Any bytes as RECORD: read, checked against two files, and written. What is written must be read again as the same.
// Only an Error may come out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wheel/metadata_check.hpp"
#include "wheel/record.hpp"
#include "wheel/record_check.hpp"
#include "wheel/wheel_name.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-identifier-naming)
    using namespace wheelarch;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Record record = parse_record(text);
    check_record(record, {{"a.py", 1, 0, sha256_of("a")}, {"b.py", 1, 0, sha256_of("b")}}, "a.dist-info");
    const std::string written = write_record(record.rows);
    const Record again = parse_record(written);
    if (!again.problem.empty() || write_record(again.rows) != written) {
        std::abort();
    }
    check_metadata(text, parse_wheel_name("a-1-py3-none-any.whl"), "METADATA");
    if (normal_version(normal_version(text)) != normal_version(text)) {
        std::abort();
    }
    return 0;
}
