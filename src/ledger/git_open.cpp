// Opening: which repository a folder lies in, and which are refused.
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "ledger/git_handles.hpp"

namespace wheelarch {
namespace {

// A bare repository is a handful of plain files, which a pull request can add to the one that it is made to: it would
// take that one's place, and its configuration names programs to run. So one whose HEAD another repository tracks is
// refused.
void refuse_planted(git_repository* repository) {
    if (git_repository_is_bare(repository) == 0) {
        return;
    }
    const std::filesystem::path bare = std::filesystem::path(git_repository_path(repository)).parent_path();
    git_repository* handle = nullptr;
    if (git_repository_open_ext(&handle, bare.parent_path().c_str(), 0, nullptr) != 0) {
        return;
    }
    const OwnedRepository outer(handle);
    const char* workdir = git_repository_workdir(handle);
    git_index* index_handle = nullptr;
    if (workdir == nullptr || git_repository_index(&index_handle, handle) != 0) {
        return;
    }
    const OwnedIndex index(index_handle);
    const std::string head = (bare.lexically_relative(workdir) / "HEAD").generic_string();
    if (git_index_get_bypath(index_handle, head.c_str(), 0) != nullptr) {
        throw unchecked("its files are part of another repository, in which they look like one of their own",
                        "remove HEAD, config, objects and refs from that folder");
    }
}

}  // namespace

void start_library() {
    static const bool started = [] {
        check_git(git_libgit2_init(), "start libgit2", "");
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        // What these change does not concern us: objects may be absent, which reading finds out.
        std::array<const char*, 3> extensions = {"partialclone", "worktreeconfig", "preciousobjects"};
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
        // A machine that loses power leaves no reference to objects that never reached the disk.
        git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
        return true;
    }();
    static_cast<void>(started);
}

OwnedRepository open_repository(const std::filesystem::path& folder) {
    start_library();
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        throw unchecked("no such folder", "give a folder of the repository that holds the ledger");
    }
    git_repository* repository = nullptr;
    const int code = git_repository_open_ext(&repository, folder.c_str(), 0, nullptr);
    if (code == GIT_ENOTFOUND) {
        throw unchecked("not in a git repository",
                        "check the repository out with git: where `git` is missing or too old, actions/checkout "
                        "downloads the files alone, without .git, so install git (2.18 or newer) before that step");
    }
    check_git(code, "open the git repository",
              "a ledger needs a repository with SHA-1 objects and references as files (git's defaults: `git init "
              "--object-format=sha1 --ref-format=files`)");
    OwnedRepository owned(repository);
    refuse_planted(repository);
    if (git_repository_oid_type(repository) != GIT_OID_SHA1) {
        throw unchecked("the git repository has SHA-256 objects",
                        "keep the ledger in a repository with SHA-1 objects (git's default)");
    }
    return owned;
}

}  // namespace wheelarch
