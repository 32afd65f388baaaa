#include "base/write_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/interrupt.hpp"

namespace wheelarch {
namespace {

void write(const std::filesystem::path& path, std::string_view content, std::ios::openmode mode) {
    std::ofstream file(path, std::ios::binary | mode);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) {
        throw unchecked(fmt::format("cannot write the file: {}", std::strerror(errno)),
                        "check that the folder is there, can be written, and has space");
    }
}

void replace(const std::filesystem::path& path, std::string_view content) {
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
        write(path, content, std::ios::out);  // /dev/stdout, a pipe: nothing to rename over
        return;
    }
    std::filesystem::path temporary = path;
    temporary += fmt::format(".{}.tmp", ::getpid());
    const OnInterrupt on_interrupt([temporary] {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
    });
    try {
        write(temporary, content, std::ios::trunc);
        std::filesystem::rename(temporary, path);
    } catch (const std::filesystem::filesystem_error& failure) {
        std::filesystem::remove(temporary, error);
        throw unchecked(fmt::format("cannot write the file: {}", failure.code().message()));
    } catch (const Error&) {
        std::filesystem::remove(temporary, error);
        throw;
    }
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
    inside(path.string(), [&] { replace(path, content); });
}

void append_file(const std::filesystem::path& path, std::string_view content) {
    inside(path.string(), [&] { write(path, content, std::ios::app); });
}

}  // namespace wheelarch
