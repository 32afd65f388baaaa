#include "plan/policy_at.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/scratch.hpp"
#include "base/text.hpp"
#include "ledger/git_repo.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// More than a farm has; the commit may be of a pull request.
constexpr std::size_t kMostFiles = 20'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr int kDeepest = 3;

// Where the farm lies in its repository; empty: at its root.
fs::path prefix_of(const fs::path& folder) {
    std::error_code failed;
    const fs::path real = fs::canonical(folder, failed);
    for (fs::path root = real; !failed; root = root.parent_path()) {
        if (fs::exists(root / ".git", failed)) {
            return real.lexically_relative(root) == "." ? fs::path() : real.lexically_relative(root);
        }
        if (root == root.parent_path()) {
            break;
        }
    }
    return {};
}

class Checkout {
public:
    Checkout(const GitRepo& repo, fs::path into) : repo_(repo), into_(std::move(into)) {}

    void write(const GitId& tree, const fs::path& path, int depth) {
        for (const GitTreeItem& item : repo_.tree(tree)) {
            const bool plain = !item.name.empty() && item.name.find_first_of("/\\:") == std::string::npos &&
                               item.name != "." && item.name != "..";
            if (plain && item.kind == GitTreeItem::Kind::folder && depth < kDeepest && is_policy(path / item.name)) {
                write(item.id, path / item.name, depth + 1);
            } else if (plain && item.kind == GitTreeItem::Kind::file && depth > 0) {
                write_blob(path / item.name, item.id);
            }
        }
    }

private:
    // The folders that read_farm() reads.
    static bool is_policy(const fs::path& path) {
        const std::string first = path.begin()->string();
        return first == "packages" || first == "defaults" || first == "scripts";
    }

    void write_blob(const fs::path& path, const GitId& id) {
        const std::string extension = path.extension().string();
        if (extension != ".yml" && extension != ".yaml" && extension != ".json") {
            return;
        }
        const std::string text = repo_.blob(id);
        bytes_ += text.size();
        if (++files_ > kMostFiles || bytes_ > kMostBytes) {
            throw bad_usage("the commit's policy has too many files, or too large ones", "check that it is the farm's");
        }
        std::error_code failed;
        fs::create_directories((into_ / path).parent_path(), failed);
        std::ofstream file(into_ / path, std::ios::binary);
        file << text;
        file.close();
        if (!file) {
            throw unchecked("cannot write a copy of the commit's policy", "check that $TMPDIR has space");
        }
    }

    const GitRepo& repo_;
    fs::path into_;
    std::size_t files_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace

PolicyAt policy_at(const fs::path& folder, const std::string& revision) {
    const GitRepo repo(folder);
    const std::optional<GitId> commit = repo.commit_of(revision);
    if (!commit) {
        throw unchecked(fmt::format("--base '{}' is no commit of this repository", printable(revision)),
                        "fetch it first: actions/checkout has one commit alone unless `fetch-depth: 0` is given");
    }
    GitId tree = repo.commit(*commit).tree;
    for (const fs::path& part : prefix_of(folder)) {
        const std::vector<GitTreeItem> items = repo.tree(tree);
        const auto found = std::find_if(items.begin(), items.end(), [&](const GitTreeItem& item) {
            return item.kind == GitTreeItem::Kind::folder && item.name == part.string();
        });
        if (found == items.end()) {
            throw unchecked(fmt::format("the farm's folder is not in the commit {}", commit->substr(0, 12)),
                            "give a commit that has it");
        }
        tree = found->id;
    }
    const ScratchFolder scratch(folder);
    Checkout(repo, scratch.path()).write(tree, {}, 0);
    return {*commit,
            inside(fmt::format("the policy of {}", printable(revision)), [&] { return read_farm(scratch.path()); })};
}

}  // namespace wheelarch
