// GitRepo: the one user of libgit2. Every return code becomes an Error (exit 3), every handle is owned.
//
// It reads and writes objects and references and knows nothing of wheels, remotes' protocols, work trees or the index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

using GitId = std::string;  // of an object: 40 hex digits; empty: none

struct GitTreeItem {
    enum class Kind { file, folder, other };  // other: a symbolic link or a submodule
    std::string name;
    GitId id;
    Kind kind = Kind::file;
};

struct GitTreeChange {
    std::string name;
    GitId id;  // empty: the item goes away
    bool folder = false;
};

struct GitCommit {
    GitId tree;
    std::int64_t time = 0;  // of the committer, in seconds since 1970
};

struct GitIdentity {
    std::string name;
    std::string email;
};

struct GitRemote {
    std::string name;
    std::string url;       // as git would use it, after `insteadOf`
    std::string push_url;  // the same as `url` unless configured
    std::string asked;     // what the configuration states for both, before `insteadOf`
    std::string asked_push;
};

enum class RefMove {
    done,
    lost,    // the reference was not what it should have been
    locked,  // another program holds its lock file
};

class GitRepo {
public:
    // Objects beyond this are not read: no entry or folder of a ledger is near it.
    static constexpr std::uint64_t kLargestObject = std::uint64_t{64} << 20;

    // The repository that `folder` lies in, or is. Who owns it does not matter: in a container job the workspace
    // belongs to another user. An Error if its own configuration is not to be trusted (git_trust.hpp), unless `trusted`
    // says that it is.
    explicit GitRepo(const std::filesystem::path& folder, bool trusted = false);
    GitRepo(GitRepo&&) noexcept;
    GitRepo& operator=(GitRepo&&) noexcept;
    ~GitRepo();

    // Where objects and branches are, shared by all linked worktrees; absolute.
    const std::filesystem::path& common_dir() const noexcept { return common_dir_; }
    // Was its history cut off, as actions/checkout does by default? Looked up anew at each call.
    bool shallow() const;
    std::vector<std::string> remotes() const;
    GitRemote remote(const std::string& name) const;
    // user.name and user.email, if both are set.
    std::optional<GitIdentity> identity() const;

    // `name` is a whole one, `refs/heads/x`.
    static bool is_ref_name(const std::string& name);
    // The commit that a reference stands at.
    std::optional<GitId> ref(const std::string& name) const;
    // The commit that git's words stand for: `main`, `HEAD~1`, an id or its beginning.
    std::optional<GitId> commit_of(const std::string& revision) const;
    // Compare and swap: sets it to `id` if it stands at `expected` (empty: if it does not exist).
    RefMove move_ref(const std::string& name, const GitId& expected, const GitId& id, const std::string& reason);
    // Is it the branch of a work tree here, which would seem changed if the branch moved?
    bool checked_out(const std::string& ref_name) const;

    GitCommit commit(const GitId& id) const;
    // In git's order, which is by bytes with a `/` after the names of folders.
    std::vector<GitTreeItem> tree(const GitId& id) const;
    std::string blob(const GitId& id) const;
    // The id that this text has, or would have, as a blob.
    static GitId blob_id(std::string_view text);

    // From now on, written objects are kept in memory until store() writes them as one pack: for many objects much
    // faster than a file each.
    void write_packed();
    GitId write_blob(std::string_view text);
    // `base` (empty: an empty folder) with the changes made. An Error if a name is not one part of a path.
    GitId write_tree(const GitId& base, const std::vector<GitTreeChange>& changes);
    GitId write_commit(const GitId& tree, const GitId& parent, const GitIdentity& who, const std::string& message);
    // Until then the written objects may be known to this object only.
    void store();

private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
    std::filesystem::path common_dir_;
};

}  // namespace wheelarch
