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

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

bool has_git_component(const fs::path& path) {
    return std::find(path.begin(), path.end(), fs::path(".git")) != path.end();
}

// Is it the target of the `.git` file of its work tree, as --separate-git-dir makes it?
bool is_linked(git_repository* repository, const fs::path& git_dir) {
    const char* workdir = git_repository_workdir(repository);
    std::ifstream link(workdir == nullptr ? fs::path() : fs::path(workdir) / ".git");
    std::string word;
    std::string target;
    link >> word&& std::getline(link >> std::ws, target);
    std::error_code ignored;
    return word == "gitdir:" && fs::weakly_canonical(fs::path(workdir) / target, ignored) == git_dir;
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
void refuse_planted(git_repository* repository) {
    std::error_code ignored;
    const fs::path git_dir = fs::weakly_canonical(fs::path(git_repository_path(repository)).parent_path(), ignored);
    if (has_git_component(git_dir) || is_linked(repository, git_dir)) {
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

OwnedRepository open_repository(const std::filesystem::path& folder) {
    start_library();
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) {
        throw unchecked("no such folder", "give a folder of the repository that holds the ledger");
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
    refuse_planted(repository);
    if (git_repository_oid_type(repository) != GIT_OID_SHA1) {
        throw unchecked("the git repository has SHA-256 objects",
                        "keep the ledger in a repository with SHA-1 objects (git's default)");
    }
    return owned;
}

}  // namespace wheelarch
