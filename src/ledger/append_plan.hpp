// What recording entries means for a ledger as it stands: which files change, and what is refused.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "ledger/entry.hpp"
#include "ledger/git_repo.hpp"

namespace wheelarch {

// A file of the ledger that holds an entry: in a folder of the root, and called `<wheel file>.json`. What else lies on
// the branch is let be.
struct RecordedFile {
    std::string folder;
    std::string wheel;  // the file name without `.json`
    GitId id;

    std::string path() const { return folder + "/" + wheel + ".json"; }
};

// The folders that may hold entries; `root` may be empty.
std::vector<GitTreeItem> ledger_folders(const GitRepo& repo, const GitId& root);
std::vector<RecordedFile> ledger_files(const GitRepo& repo, const GitTreeItem& folder);

// The same for all spellings of a wheel's file name, and the name itself for what is no wheel's.
std::string wheel_key(std::string_view file_name);

// An entry that is to be recorded, with what is worked out from it once.
struct NewEntry {
    Entry entry;
    std::string key;
    std::string text;
    GitId id;  // of the text as a blob

    explicit NewEntry(Entry from);
};

struct AppendPlan {
    struct Change {
        std::string name;
        std::string text;  // empty: the file goes away
    };
    std::map<std::string, std::vector<Change>> folders;
    std::size_t added = 0;
    std::size_t replaced = 0;
    std::size_t carried = 0;  // now valid for a later epoch, and otherwise the same
    std::size_t unchanged = 0;
    std::size_t kept = 0;          // inferred now, but recorded by its build already
    std::vector<Finding> refused;  // entries that are left out
};

// Drops what is the same as an earlier one, and what is inferred of a wheel whose build's own record is there too. A
// wheel with two different entries of one provenance is reported, and none of them is left.
std::vector<Finding> drop_repeated(std::vector<NewEntry>& entries);

// `root` is the tree of the tip, or empty. Entries with the same key must be dropped before. What is there of a wheel,
// and what comes:
//
//   recorded, recorded   a different one is refused unless `replace`, and then too if it is of an earlier epoch or was
//                        made before: an older run ended late
//   inferred, recorded   the new one takes its place: the build knows more than who looked at its wheel later
//   recorded, inferred   the old one stays, `replace` or not
//   inferred, inferred   of the same file, the old one stays unless `replace`; of another, as recorded ones
//
// What takes the place of another keeps it in its history.
AppendPlan plan_append(const GitRepo& repo, const GitId& root, const std::vector<NewEntry>& entries, bool replace);

// The tree of `root` with the changes made. Reads and writes no folder that does not change.
GitId write_plan(GitRepo& repo, const GitId& root, const AppendPlan& plan);

}  // namespace wheelarch
