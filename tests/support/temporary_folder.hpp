// A folder for the files of one test, removed with all that is in it.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wheelarch {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device random;
        do {
            path_ = std::filesystem::temp_directory_path() / ("wheelarch-test-" + std::to_string(random()));
            path_ = path_.generic_string();  // on Windows as in the texts that name files of it
        } while (!std::filesystem::create_directory(path_));
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const noexcept { return path_; }

    std::filesystem::path write(const std::string& name, std::string_view content) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream stream(file, std::ios::binary);
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
        if (!stream.flush()) {
            throw std::runtime_error("cannot write " + file.string());
        }
        return file;
    }

    // A program: a shell script that can be executed.
    std::filesystem::path script(const std::string& name, std::string_view body) const {
        const std::filesystem::path file = write(name, "#!/bin/sh\n" + std::string(body) + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

private:
    std::filesystem::path path_;
};

}  // namespace wheelarch
