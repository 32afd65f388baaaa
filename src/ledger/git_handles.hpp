// libgit2's handles with owners, and its return codes as Errors. Only git_repo.cpp and git_open.cpp include this.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <git2.h>

#include "ledger/git_repo.hpp"

namespace wheelarch {

template <auto Free>
struct Freed {
    template <typename T>
    void operator()(T* handle) const noexcept {
        Free(handle);
    }
};
template <typename T, auto Free>
using Owned = std::unique_ptr<T, Freed<Free>>;

using OwnedRepository = Owned<git_repository, git_repository_free>;
using OwnedConfig = Owned<git_config, git_config_free>;
using OwnedReference = Owned<git_reference, git_reference_free>;
using OwnedRemote = Owned<git_remote, git_remote_free>;
using OwnedObject = Owned<git_object, git_object_free>;
using OwnedCommit = Owned<git_commit, git_commit_free>;
using OwnedTree = Owned<git_tree, git_tree_free>;
using OwnedTreeBuilder = Owned<git_treebuilder, git_treebuilder_free>;
using OwnedOdb = Owned<git_odb, git_odb_free>;
using OwnedOdbObject = Owned<git_odb_object, git_odb_object_free>;
using OwnedPackBuilder = Owned<git_packbuilder, git_packbuilder_free>;
using OwnedIndex = Owned<git_index, git_index_free>;
using OwnedIndexer = Owned<git_indexer, git_indexer_free>;
using OwnedSignature = Owned<git_signature, git_signature_free>;

inline constexpr char kSeeFsck[] = "see what `git fsck` says of the repository";
inline constexpr char kUnwritable[] = "check that the repository can be written and has space";

// An Error (exit 3) `cannot <doing>: <libgit2's words>` if `code` is a failure. Must follow the call at once: libgit2
// keeps its last message only.
void check_git(int code, std::string_view doing, const char* fix = kSeeFsck);

// Before all other use of libgit2; it is done once.
void start_library();

// The repository that `folder` lies in, searched for upwards. Starts libgit2 first. An Error (exit 3) if there is none
// that can hold a ledger, or, unless `trusted`, if its own configuration is not to be trusted (git_trust.hpp).
OwnedRepository open_repository(const std::filesystem::path& folder, bool trusted);

// Both ways between a text and libgit2's form. An Error if `id` is not 40 hex digits.
git_oid oid_of(const GitId& id);
GitId id_of(const git_oid& oid);

}  // namespace wheelarch
