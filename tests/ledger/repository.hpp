// Git repositories for tests, made without git: what `git init` makes of them is a few files.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace wheelarch {

inline void configure(const std::filesystem::path& folder, std::string_view more) {
    std::ofstream(folder / ".git/config", std::ios::app) << more;
}

// An empty one in `folder`, which is made; HEAD is refs/heads/main.
inline void make_repository(const std::filesystem::path& folder, bool bare = false) {
    const std::filesystem::path git = bare ? folder : folder / ".git";
    for (const char* name : {"objects/info", "objects/pack", "refs/heads", "refs/tags"}) {
        std::filesystem::create_directories(git / name);
    }
    std::ofstream(git / "HEAD") << "ref: refs/heads/main\n";
    std::ofstream(git / "config") << "[core]\n\trepositoryformatversion = 0\n\tbare = " << (bare ? "true" : "false")
                                  << "\n";
}

}  // namespace wheelarch
