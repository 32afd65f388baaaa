// Opening: which repository a folder lies in, and which are refused.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "ledger/git_handles.hpp"
#include "ledger/git_trust.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

bool has_git_component(const fs::path& path) {
    return std::find(path.begin(), path.end(), fs::path(".git")) != path.end();
}

// Is it the target of the `.git` file of the work tree that `folder` lies in, as --separate-git-dir makes it?
bool is_linked(const fs::path& folder, const fs::path& git_dir) {
    std::error_code ignored;
    for (fs::path at = fs::weakly_canonical(folder, ignored); !at.empty(); at = at.parent_path()) {
        if (fs::is_regular_file(at / ".git", ignored)) {
            std::ifstream link(at / ".git");
            std::string word;
            std::string target;
            link >> word&& std::getline(link >> std::ws, target);
            return word == "gitdir:" && fs::weakly_canonical(at / target, ignored) == git_dir;
        }
        if (at == at.parent_path()) {
            break;
        }
    }
    return false;
}

bool tracks(const fs::path& work_tree, const fs::path& file) {
    git_repository* handle = nullptr;
    if (git_repository_open(&handle, work_tree.string().c_str()) != 0) {
        return false;
    }
    const OwnedRepository outer(handle);
    git_index* index_handle = nullptr;
    if (git_repository_index(&index_handle, handle) != 0) {
        return false;
    }
    const OwnedIndex index(index_handle);
    return git_index_get_bypath(index_handle, file.lexically_relative(work_tree).generic_string().c_str(), 0) !=
           nullptr;
}

// A git folder is a handful of plain files, which a pull request can add to the farm: it would take the place of the
// real repository, and its configuration names programs to run. No commit can carry a `.git`, so what lies in one is
// taken as it is. Any other is refused if a repository around it tracks its files; and in a workflow, where artifacts
// are unpacked too, if it lies in a work tree at all.
void refuse_planted(const fs::path& folder, const fs::path& found) {
    std::error_code ignored;
    const fs::path git_dir = fs::weakly_canonical(found, ignored);
    if (has_git_component(git_dir) || is_linked(folder, git_dir)) {
        return;
    }
    const bool in_workflow = environment("GITHUB_ACTIONS") == "true";
    const std::string workspace = environment("GITHUB_WORKSPACE");
    const fs::path root = in_workflow && !workspace.empty() ? fs::weakly_canonical(workspace, ignored) : fs::path();
    for (fs::path around = git_dir.parent_path();; around = around.parent_path()) {
        const bool is_tree = fs::exists(around / ".git", ignored);
        if ((is_tree && (in_workflow || tracks(around, git_dir / "HEAD"))) || around == root) {
            throw unchecked("it has the files of a git repository, but is a folder of another one",
                            "remove HEAD, config, objects and refs from it: somebody may have put them there to have "
                            "programs run");
        }
        if (around == around.parent_path()) {
            return;
        }
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

OwnedRepository open_repository(const std::filesystem::path& folder, bool trusted) {
    start_library();
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        throw unchecked("no such folder", "give a folder of the repository that holds the ledger");
    }
    // Before libgit2 reads the configuration, which may include endless files.
    git_buf found = GIT_BUF_INIT;
    const Owned<git_buf, git_buf_dispose> owned_found(&found);
    if (git_repository_discover(&found, folder.string().c_str(), 0, nullptr) == 0) {
        const fs::path git_dir = fs::path(std::string(found.ptr, found.size)).parent_path();
        refuse_planted(folder, git_dir);
        if (!trusted) {
            require_trustworthy(git_dir);
        }
    }
    git_repository* repository = nullptr;
    const int code = git_repository_open_ext(&repository, folder.string().c_str(), 0, nullptr);
    if (code == GIT_ENOTFOUND) {
        throw unchecked("not in a git repository",
                        "check the repository out with git: where `git` is missing or too old, actions/checkout "
                        "downloads the files alone, without .git, so install git (2.18 or newer) before that step");
    }
    check_git(code, "open the git repository",
              "a ledger needs a repository with SHA-1 objects and references as files (git's defaults: `git init "
              "--object-format=sha1 --ref-format=files`)");
    OwnedRepository owned(repository);
    if (git_repository_oid_type(repository) != GIT_OID_SHA1) {
        throw unchecked("the git repository has SHA-256 objects",
                        "keep the ledger in a repository with SHA-1 objects (git's default)");
    }
    return owned;
}

}  // namespace wheelarch
