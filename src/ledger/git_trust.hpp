// Is a repository's own configuration safe to let git read? A checkout can come from anybody: a build step, an archive,
// a mounted folder. What its configuration may hold is what actions/checkout v4 to v7 writes, each by its exact shape,
// and keys that start nothing and move no request (git_config_keys.hpp). The user's and the system's configuration is
// not looked at: git honours it as always.
//
// What checkout writes (its src/git-auth-helper.ts at f548e57):
//   http.https://HOST/.extraheader          AUTHORIZATION: basic BASE64                              up to v5
//   includeIf.gitdir:FOLDER.path            RUNNER_TEMP/git-credentials-UUID.config, with such a key  from v6
//   core.sshCommand                         "SSH" -i "$RUNNER_TEMP/UUID" [-o StrictHostKeyChecking=yes -o
//                                           CheckHostIP=no] -o "UserKnownHostsFile=$RUNNER_TEMP/UUID_known_hosts"
//   url.https://HOST/.insteadOf             git@HOST: or org-NUMBER@github.com:               in submodules
//   filter.lfs.*                            of `git lfs install --local`
#pragma once

#include <filesystem>

namespace wheelarch {

// `git_dir` is the repository's git folder, of a linked worktree its own. Throws an Error (exit 3) that names the file,
// the key and --trust-git-config, if its configuration, that of its worktree, or a file that they include holds
// anything else; if it cannot be read as git reads it; or if it is too large.
void require_trustworthy(const std::filesystem::path& git_dir);

// Where objects, branches and the configuration are: the same, but for a linked worktree.
std::filesystem::path common_folder(const std::filesystem::path& git_dir);

}  // namespace wheelarch
