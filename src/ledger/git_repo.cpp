#include "ledger/git_repo.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <git2/sys/config.h>
#include <git2/sys/mempack.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ledger/git_handles.hpp"

namespace wheelarch {
namespace {

std::optional<std::string> setting(const git_config* config, const char* name) {
    git_buf value = GIT_BUF_INIT;
    const int code = git_config_get_string_buf(&value, config, name);
    if (code == GIT_ENOTFOUND) {
        return std::nullopt;
    }
    check_git(code, "read git's configuration", "correct the file that is named");
    std::string text(value.ptr, value.size);
    git_buf_dispose(&value);
    return text;
}

// As git does: what would end a line or a field of the commit is dropped, and blanks at the ends.
std::string plain(std::string text) {
    std::erase_if(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f || c == '<' || c == '>';
    });
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

void check_name(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (name.empty() || name == "." || name == ".." || lower == ".git" ||
        name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
        throw unchecked(fmt::format("'{}' cannot be the name of a file in the ledger", printable(name)),
                        "correct the entry's package and wheel file name");
    }
}

GitTreeItem::Kind kind_of(git_filemode_t mode) {
    switch (mode) {
        case GIT_FILEMODE_TREE: return GitTreeItem::Kind::folder;
        case GIT_FILEMODE_BLOB:
        case GIT_FILEMODE_BLOB_EXECUTABLE: return GitTreeItem::Kind::file;
        default: return GitTreeItem::Kind::other;
    }
}

}  // namespace

struct GitRepo::Handles {
    OwnedRepository repository;
    OwnedOdb odb;
    git_odb_backend* memory = nullptr;  // owned by odb

    void store_pack(git_packbuilder* builder) const;

    // An Error unless it is there, of this type, and of at most kLargestObject bytes.
    git_oid require(const GitId& id, git_object_t type) const {
        const git_oid oid = oid_of(id);
        std::size_t size = 0;
        git_object_t found = GIT_OBJECT_INVALID;
        const int code = git_odb_read_header(&size, &found, odb.get(), &oid);
        if (code == GIT_ENOTFOUND) {
            throw unchecked(
                fmt::format("object {} is not in this repository", id),
                "in a partial clone (`--filter`, or a sparse checkout), bring the ledger here whole: `git fetch "
                "--refetch --no-filter REMOTE BRANCH`; in any other, see what `git fsck` says");
        }
        check_git(code, fmt::format("read object {}", id));
        if (found != type || size > kLargestObject) {
            throw unchecked(
                fmt::format("object {} is a {} of {} bytes: expected a {} of at most {}", id,
                            git_object_type2string(found), size, git_object_type2string(type), kLargestObject),
                "the branch holds something that is no ledger: see its history");
        }
        return oid;
    }

    OwnedTree tree(const GitId& id) const {
        const git_oid oid = require(id, GIT_OBJECT_TREE);
        git_tree* tree = nullptr;
        check_git(git_tree_lookup(&tree, repository.get(), &oid), fmt::format("read folder {}", id));
        return OwnedTree(tree);
    }

    OwnedCommit commit(const GitId& id) const {
        const git_oid oid = require(id, GIT_OBJECT_COMMIT);
        git_commit* commit = nullptr;
        check_git(git_commit_lookup(&commit, repository.get(), &oid), fmt::format("read commit {}", id));
        return OwnedCommit(commit);
    }
};

GitRepo::GitRepo(const std::filesystem::path& folder, bool trusted) : handles_(std::make_unique<Handles>()) {
    inside(folder.string(), [&] { handles_->repository = open_repository(folder, trusted); });
    git_odb* odb = nullptr;
    check_git(git_repository_odb(&odb, handles_->repository.get()), "open the object store");
    handles_->odb.reset(odb);
    common_dir_ = std::filesystem::absolute(git_repository_commondir(handles_->repository.get())).lexically_normal();
}

GitRepo::GitRepo(GitRepo&&) noexcept = default;
GitRepo& GitRepo::operator=(GitRepo&&) noexcept = default;
GitRepo::~GitRepo() = default;

// libgit2 looks for this file in the folder of a linked worktree, where it never is.
bool GitRepo::shallow() const {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(common_dir_ / "shallow", ignored);
    return !ignored && size > 0;
}

std::vector<std::string> GitRepo::remotes() const {
    git_strarray names = {};
    check_git(git_remote_list(&names, handles_->repository.get()), "list the remotes", "correct git's configuration");
    std::vector<std::string> list(names.strings, names.strings + names.count);
    git_strarray_dispose(&names);
    return list;
}

GitRemote GitRepo::remote(const std::string& name) const {
    git_remote* handle = nullptr;
    check_git(git_remote_lookup(&handle, handles_->repository.get(), name.c_str()), "find the remote",
              "see `git remote -v` for the remotes that there are");
    const OwnedRemote remote(handle);
    const auto text = [](const char* url) { return std::string(url == nullptr ? "" : url); };
    GitRemote result;
    result.name = name;
    result.url = text(git_remote_url(handle));
    result.push_url = text(git_remote_pushurl(handle));
    if (result.push_url.empty()) {
        result.push_url = result.url;
    }
    git_config* config_handle = nullptr;
    check_git(git_repository_config_snapshot(&config_handle, handles_->repository.get()), "read git's configuration",
              "correct the file that is named");
    const OwnedConfig config(config_handle);
    result.asked = setting(config_handle, fmt::format("remote.{}.url", name).c_str()).value_or("");
    result.asked_push = setting(config_handle, fmt::format("remote.{}.pushurl", name).c_str()).value_or(result.asked);
    return result;
}

std::optional<GitIdentity> GitRepo::identity() const {
    git_config* handle = nullptr;
    check_git(git_repository_config_snapshot(&handle, handles_->repository.get()), "read git's configuration",
              "correct the file that is named");
    const OwnedConfig config(handle);
    const std::string name = plain(setting(handle, "user.name").value_or(""));
    const std::string email = plain(setting(handle, "user.email").value_or(""));
    if (name.empty() || email.empty()) {
        return std::nullopt;
    }
    return GitIdentity{.name = name, .email = email};
}

bool GitRepo::is_ref_name(const std::string& name) {
    start_library();
    int valid = 0;
    return name.find('\0') == std::string::npos && git_reference_name_is_valid(&valid, name.c_str()) == 0 && valid == 1;
}

std::optional<GitId> GitRepo::ref(const std::string& name) const {
    git_reference* handle = nullptr;
    int code = git_reference_lookup(&handle, handles_->repository.get(), name.c_str());
    if (code == GIT_ENOTFOUND) {
        return std::nullopt;
    }
    const std::string reading = fmt::format("read {}", name);
    check_git(code, reading);
    const OwnedReference reference(handle);
    git_object* commit = nullptr;
    code = git_reference_peel(&commit, handle, GIT_OBJECT_COMMIT);
    check_git(code, reading);
    const OwnedObject owned(commit);
    return id_of(*git_object_id(commit));
}

std::optional<GitId> GitRepo::commit_of(const std::string& revision) const {
    git_object* found = nullptr;
    if (git_revparse_single(&found, handles_->repository.get(), revision.c_str()) != 0) {
        return std::nullopt;
    }
    const OwnedObject object(found);
    git_object* commit = nullptr;
    if (git_object_peel(&commit, found, GIT_OBJECT_COMMIT) != 0) {
        return std::nullopt;
    }
    const OwnedObject owned(commit);
    return id_of(*git_object_id(commit));
}

RefMove GitRepo::move_ref(const std::string& name, const GitId& expected, const GitId& id, const std::string& reason) {
    const git_oid target = oid_of(id);
    const git_oid old = expected.empty() ? git_oid{} : oid_of(expected);  // zeros: it must not exist
    const int code = git_reference_create_matching(nullptr, handles_->repository.get(), name.c_str(), &target, 1, &old,
                                                   reason.c_str());
    // Not found: it was deleted since.
    if (code == GIT_EMODIFIED || code == GIT_ENOTFOUND || code == GIT_EEXISTS) {
        return RefMove::lost;
    }
    if (code == GIT_ELOCKED) {
        return RefMove::locked;
    }
    check_git(code, fmt::format("set {}", name), kUnwritable);
    return RefMove::done;
}

bool GitRepo::checked_out(const std::string& ref_name) const {
    git_repository* repository = handles_->repository.get();
    git_reference* handle = nullptr;
    if (git_reference_lookup(&handle, repository, ref_name.c_str()) < 0) {
        return false;
    }
    const OwnedReference reference(handle);
    // A bare repository's HEAD names a branch too, but there are no files that it could be at odds with.
    if (git_repository_is_bare(repository) == 1) {
        git_strarray worktrees = {};
        check_git(git_worktree_list(&worktrees, repository), "list the worktrees");
        const bool none = worktrees.count == 0;
        git_strarray_dispose(&worktrees);
        if (none || git_branch_is_head(handle) == 1) {
            return false;
        }
    }
    return git_branch_is_checked_out(handle) == 1;
}

GitCommit GitRepo::commit(const GitId& id) const {
    const OwnedCommit commit = handles_->commit(id);
    return {.tree = id_of(*git_commit_tree_id(commit.get())), .time = git_commit_time(commit.get())};
}

std::vector<GitTreeItem> GitRepo::tree(const GitId& id) const {
    const OwnedTree tree = handles_->tree(id);
    std::vector<GitTreeItem> items;
    items.reserve(git_tree_entrycount(tree.get()));
    for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
        const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
        items.push_back({.name = git_tree_entry_name(entry),
                         .id = id_of(*git_tree_entry_id(entry)),
                         .kind = kind_of(git_tree_entry_filemode(entry))});
    }
    return items;
}

std::string GitRepo::blob(const GitId& id) const {
    const git_oid oid = handles_->require(id, GIT_OBJECT_BLOB);
    git_odb_object* handle = nullptr;
    check_git(git_odb_read(&handle, handles_->odb.get(), &oid), fmt::format("read object {}", id));
    const OwnedOdbObject object(handle);
    return {static_cast<const char*>(git_odb_object_data(handle)), git_odb_object_size(handle)};
}

GitId GitRepo::blob_id(std::string_view text) {
    git_oid oid = {};
    check_git(git_odb_hash(&oid, text.data(), text.size(), GIT_OBJECT_BLOB), "hash an entry", "");
    return id_of(oid);
}

void GitRepo::write_packed() {
    if (handles_->memory != nullptr) {
        return;
    }
    constexpr int kBeforeAllOthers = 999;
    check_git(git_mempack_new(&handles_->memory), "keep objects in memory", "");
    check_git(git_odb_add_backend(handles_->odb.get(), handles_->memory, kBeforeAllOthers), "keep objects in memory",
              "");
    // Each object is compared with one other instead of ten: half the time, and the server packs anew anyway.
    constexpr std::string_view kSetting = "[pack]\n\twindowMemory = 1\n";
    git_config* handle = nullptr;
    check_git(git_repository_config(&handle, handles_->repository.get()), "read git's configuration", "");
    const OwnedConfig config(handle);
    git_config_backend* setting = nullptr;
    check_git(git_config_backend_from_string(&setting, kSetting.data(), kSetting.size(), nullptr), "set up packing",
              "");
    check_git(git_config_add_backend(handle, setting, GIT_CONFIG_LEVEL_APP, handles_->repository.get(), 1),
              "set up packing", "");
}

GitId GitRepo::write_blob(std::string_view text) {
    git_oid oid = {};
    check_git(git_odb_write(&oid, handles_->odb.get(), text.data(), text.size(), GIT_OBJECT_BLOB), "write an entry",
              kUnwritable);
    return id_of(oid);
}

GitId GitRepo::write_tree(const GitId& base, const std::vector<GitTreeChange>& changes) {
    const OwnedTree before = base.empty() ? OwnedTree() : handles_->tree(base);
    git_treebuilder* handle = nullptr;
    check_git(git_treebuilder_new(&handle, handles_->repository.get(), before.get()), "change a folder of the ledger");
    const OwnedTreeBuilder builder(handle);
    for (const GitTreeChange& change : changes) {
        check_name(change.name);
        if (change.id.empty()) {
            check_git(git_treebuilder_remove(handle, change.name.c_str()), "remove an entry");
            continue;
        }
        const git_oid oid = oid_of(change.id);
        check_git(git_treebuilder_insert(nullptr, handle, change.name.c_str(), &oid,
                                         change.folder ? GIT_FILEMODE_TREE : GIT_FILEMODE_BLOB),
                  "add an entry");
    }
    git_oid written = {};
    check_git(git_treebuilder_write(&written, handle), "write a folder of the ledger", kUnwritable);
    return id_of(written);
}

GitId GitRepo::write_commit(const GitId& tree, const GitId& parent, const GitIdentity& who,
                            const std::string& message) {
    git_signature* handle = nullptr;
    check_git(git_signature_now(&handle, who.name.c_str(), who.email.c_str()), "sign the commit",
              "correct user.name and user.email in git's configuration");
    const OwnedSignature signature(handle);
    const OwnedTree content = handles_->tree(tree);
    const OwnedCommit before = parent.empty() ? OwnedCommit() : handles_->commit(parent);
    std::array<const git_commit*, 1> parents = {before.get()};
    git_oid written = {};
    check_git(git_commit_create(&written, handles_->repository.get(), nullptr, handle, handle, nullptr, message.c_str(),
                                content.get(), before ? 1 : 0, parents.data()),
              "write the commit", kUnwritable);
    return id_of(written);
}

// As git_packbuilder_write(), which hands the pack on in small pieces, each of which costs the indexer system calls.
void GitRepo::Handles::store_pack(git_packbuilder* builder) const {
    constexpr const char* kDoing = "write the pack of entries";
    git_buf folder = {};
    git_buf bytes = {};
    const Owned<git_buf, git_buf_dispose> owned_folder(&folder);
    const Owned<git_buf, git_buf_dispose> owned_bytes(&bytes);
    check_git(git_repository_item_path(&folder, repository.get(), GIT_REPOSITORY_ITEM_OBJECTS), kDoing, kUnwritable);
    check_git(git_packbuilder_write_buf(&bytes, builder), kDoing, kUnwritable);
    git_indexer* handle = nullptr;
    check_git(git_indexer_new(&handle, (std::string(folder.ptr) + "/pack").c_str(), 0, odb.get(), nullptr), kDoing,
              kUnwritable);
    const OwnedIndexer indexer(handle);
    git_indexer_progress progress = {};
    check_git(git_indexer_append(handle, bytes.ptr, bytes.size, &progress), kDoing, kUnwritable);
    check_git(git_indexer_commit(handle, &progress), kDoing, kUnwritable);
}

void GitRepo::store() {
    if (handles_->memory == nullptr) {
        return;
    }
    git_packbuilder* handle = nullptr;
    check_git(git_packbuilder_new(&handle, handles_->repository.get()), "pack the entries", kUnwritable);
    const OwnedPackBuilder pack(handle);
    check_git(git_mempack_write_thin_pack(handles_->memory, handle), "pack the entries", kUnwritable);
    if (git_packbuilder_object_count(handle) > 0) {
        handles_->store_pack(handle);
        check_git(git_mempack_reset(handles_->memory), "write the pack of entries", kUnwritable);
        check_git(git_odb_refresh(handles_->odb.get()), "read the pack of entries", kUnwritable);
    }
}

}  // namespace wheelarch
