#include "ledger/writer_lock.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>

namespace wheelarch {

namespace fs = std::filesystem;

void await_reference(const fs::path& common_dir, const std::string& ref_name, Deadline deadline) {
    constexpr std::chrono::seconds kStale(10);
    const fs::path lock = common_dir / (ref_name + ".lock");
    std::error_code absent;
    for (auto pause = std::chrono::milliseconds(2); std::chrono::steady_clock::now() < deadline; pause *= 2) {
        const fs::file_time_type written = fs::last_write_time(lock, absent);
        if (absent) {
            return;
        }
        if (fs::file_time_type::clock::now() - written > kStale) {
            fs::remove(lock, absent);
            return;
        }
        pause = std::min(pause, std::chrono::milliseconds(100));
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace wheelarch
