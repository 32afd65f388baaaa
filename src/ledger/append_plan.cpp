#include "ledger/append_plan.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kSuffix = ".json";
constexpr char kEmptyTree[] = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

std::string distribution_of(std::string_view wheel) {
    return normal_name(wheel.substr(0, wheel.find('-')));
}

// What is recorded of the wheels among `entries`, by key. Only names of their distributions are parsed, so this costs
// little even where the ledger is large.
std::unordered_map<std::string, RecordedFile> recorded(const GitRepo& repo, const GitId& root,
                                                       const std::vector<NewEntry>& entries) {
    std::set<std::string> distributions;
    for (const NewEntry& entry : entries) {
        distributions.insert(distribution_of(entry.entry.file_name));
    }
    std::unordered_map<std::string, RecordedFile> found;
    for (const GitTreeItem& folder : ledger_folders(repo, root)) {
        for (RecordedFile& file : ledger_files(repo, folder)) {
            if (distributions.contains(distribution_of(file.wheel))) {
                found.emplace(wheel_key(file.wheel), std::move(file));
            }
        }
    }
    return found;
}

// The keys of the two that differ, apart from those that are no part of the record.
std::vector<std::string> differing_keys(const boost::json::object& left, const boost::json::object& right) {
    std::set<std::string> keys;
    for (const auto* side : {&left, &right}) {
        for (const auto& pair : *side) {
            const auto* a = left.if_contains(pair.key());
            const auto* b = right.if_contains(pair.key());
            const bool same = a != nullptr && b != nullptr && *a == *b;
            if (!same && pair.key() != "recorded_at" && pair.key() != "history") {
                keys.insert(printable(pair.key()));
            }
        }
    }
    return {keys.begin(), keys.end()};
}

std::string sha256_in(const Entry& entry) {
    return printable(std::string(entry.json.at("wheel").as_object().at("sha256").as_string()));
}

bool is_inferred(const Entry& entry) {
    return entry.json.at("provenance") == boost::json::value("inferred");
}

bool of_same_file(const Entry& left, const Entry& right) {
    return left.json.at("wheel").at("sha256") == right.json.at("wheel").at("sha256");
}

std::string difference(const Entry& first, const char* first_is, const Entry& second) {
    std::string text = enumerate(differing_keys(first.json, second.json), 8);
    if (sha256_in(first) != sha256_in(second)) {
        text += fmt::format(" ({} has sha256 {}, this one {})", first_is, sha256_in(first), sha256_in(second));
    }
    return text;
}

Finding already_recorded(const RecordedFile& file, const Entry& old, const Entry& entry) {
    return {
        .rule = "already-recorded",
        .place = printable(entry.file_name),
        .message = fmt::format("the ledger holds another record of this wheel, {}, which differs in {}",
                               printable(file.path()), difference(old, "that", entry)),
        .fix =
            "if this wheel takes the place of the recorded one (a rebuild), record it with --replace; if not, find out "
            "which of the two was published"};
}

std::string recorded_at(const Entry& entry) {
    return printable(std::string(entry.json.at("recorded_at").as_string()));
}

// In which way `entry` is older than what it would replace; empty: in none.
std::string goes_back(const Entry& old, const Entry& entry) {
    const BuiltAt before = valid_for(old);
    const BuiltAt now = valid_for(entry);
    // Whose the one number of schema 1 is, nobody knows here: the farm's at least was not higher.
    const bool comparable = !before.one_counter || now.one_counter;
    if (comparable && !reach(now.epochs, before.epochs)) {
        return fmt::format("it is of epoch {}, and what is recorded of epoch {}", to_text(now.epochs),
                           to_text(before.epochs));
    }
    if (recorded_at(entry) < recorded_at(old)) {
        return fmt::format("it was made at {}, and what is recorded at {}", recorded_at(entry), recorded_at(old));
    }
    return {};
}

Finding older_than_recorded(const Entry& entry, const std::string& why) {
    return {.rule = "older-than-recorded",
            .place = printable(entry.file_name),
            .message = fmt::format("{}: an older run does not take the place of a newer one", why),
            .fix = "if its wheel was uploaded all the same, upload the recorded one again"};
}

void remove_file(AppendPlan& plan, const RecordedFile& file) {
    plan.folders[file.folder].push_back({.name = file.wheel + std::string(kSuffix), .text = {}});
}

void add_file(AppendPlan& plan, const Entry& entry, std::string text) {
    plan.folders[entry.package].push_back({.name = entry.file_name + std::string(kSuffix), .text = std::move(text)});
}

// What is recorded stays; only that it is valid for a later epoch is new.
void plan_same(AppendPlan& plan, const Entry& old, const Entry& entry) {
    const BuiltAt known = valid_for(old);
    const BuiltAt told = valid_for(entry);
    if (told.one_counter || (!known.one_counter && reach(known.epochs, told.epochs))) {
        ++plan.unchanged;
        return;
    }
    ++plan.carried;
    const Epochs both = known.one_counter ? told.epochs : latest(known.epochs, told.epochs);
    add_file(plan, old, canonical_text(carried(old, both).json));
}

void plan_recorded(AppendPlan& plan, const GitRepo& repo, const RecordedFile& file, const NewEntry& fresh,
                   bool replace) {
    const Entry& entry = fresh.entry;
    const bool same_place = file.path() == ledger_path(entry);
    if (same_place && file.id == fresh.id) {
        ++plan.unchanged;
        return;
    }
    const Entry old = inside(printable(file.path()), [&] { return parse_entry(repo.blob(file.id)); });
    if (same_place && same_record(old, entry)) {
        plan_same(plan, old, entry);
        return;
    }
    if (is_inferred(entry) && !is_inferred(old)) {
        ++plan.kept;
        return;
    }
    const bool by_build = is_inferred(old) && !is_inferred(entry);
    if (!replace && is_inferred(old) && is_inferred(entry) && of_same_file(old, entry)) {
        ++plan.unchanged;
        return;
    }
    if (!replace && !by_build) {
        plan.refused.push_back(already_recorded(file, old, entry));
        return;
    }
    if (!is_inferred(old) && !is_inferred(entry)) {
        if (const std::string back = goes_back(old, entry); !back.empty()) {
            plan.refused.push_back(older_than_recorded(entry, back));
            return;
        }
    }
    ++plan.replaced;
    if (!same_place) {
        remove_file(plan, file);
    }
    add_file(plan, entry, canonical_text(replacing(entry, old).json));
}

}  // namespace

std::vector<GitTreeItem> ledger_folders(const GitRepo& repo, const GitId& root) {
    std::vector<GitTreeItem> items = root.empty() ? std::vector<GitTreeItem>() : repo.tree(root);
    std::erase_if(items, [](const GitTreeItem& item) {
        return item.kind != GitTreeItem::Kind::folder || item.name.starts_with('.');
    });
    return items;
}

std::vector<RecordedFile> ledger_files(const GitRepo& repo, const GitTreeItem& folder) {
    std::vector<RecordedFile> files;
    for (GitTreeItem& item : repo.tree(folder.id)) {
        if (item.kind == GitTreeItem::Kind::file && item.name.ends_with(".whl.json")) {
            item.name.resize(item.name.size() - kSuffix.size());
            files.push_back({.folder = folder.name, .wheel = std::move(item.name), .id = std::move(item.id)});
        }
    }
    return files;
}

std::string wheel_key(std::string_view file_name) {
    try {
        return canonical_name(parse_wheel_name(file_name));
    } catch (const Error&) {
        return std::string(file_name);
    }
}

NewEntry::NewEntry(Entry from)
    : entry(std::move(from)), key(wheel_key(entry.file_name)), text(canonical_text(entry.json)) {
    if (text.size() > GitRepo::kLargestObject) {
        throw unchecked(
            fmt::format("the entry is {} bytes long: expected at most {}", text.size(), GitRepo::kLargestObject),
            "record the wheel without its members")
            .inside(printable(entry.file_name));
    }
    id = GitRepo::blob_id(text);
}

std::vector<Finding> drop_repeated(std::vector<NewEntry>& entries) {
    std::vector<Finding> refused;
    std::set<std::string> doubtful;
    std::unordered_map<std::string, std::size_t> first;
    std::vector<NewEntry> kept;
    for (NewEntry& entry : entries) {
        const auto [at, is_new] = first.emplace(entry.key, kept.size());
        if (is_new) {
            kept.push_back(std::move(entry));
            continue;
        }
        NewEntry& before = kept[at->second];
        const Entry& earlier = before.entry;
        if (is_inferred(earlier) != is_inferred(entry.entry)) {
            if (is_inferred(earlier)) {
                before = std::move(entry);
            }
            continue;
        }
        if (earlier.package != entry.entry.package || !same_record(earlier, entry.entry)) {
            refused.push_back({.rule = "recorded-twice",
                               .place = printable(entry.entry.file_name),
                               .message = fmt::format("two of the entries are about this wheel, and differ in {}",
                                                      difference(earlier, "the first", entry.entry)),
                               .fix = "record the wheel that was published, and leave the other entry out"});
            doubtful.insert(entry.key);
        }
    }
    std::erase_if(kept, [&](const NewEntry& entry) { return doubtful.contains(entry.key); });
    entries = std::move(kept);
    return refused;
}

AppendPlan plan_append(const GitRepo& repo, const GitId& root, const std::vector<NewEntry>& entries, bool replace) {
    const auto known = recorded(repo, root, entries);
    AppendPlan plan;
    for (const NewEntry& entry : entries) {
        const auto found = known.find(entry.key);
        if (found == known.end()) {
            ++plan.added;
            add_file(plan, entry.entry, entry.text);
        } else {
            plan_recorded(plan, repo, found->second, entry, replace);
        }
    }
    return plan;
}

GitId write_plan(GitRepo& repo, const GitId& root, const AppendPlan& plan) {
    std::unordered_map<std::string, GitTreeItem> standing;
    for (GitTreeItem& item : root.empty() ? std::vector<GitTreeItem>() : repo.tree(root)) {
        standing.emplace(item.name, std::move(item));
    }
    std::vector<GitTreeChange> root_changes;
    for (const auto& [folder, files] : plan.folders) {
        const auto found = standing.find(folder);
        if (found != standing.end() && found->second.kind != GitTreeItem::Kind::folder) {
            throw unchecked(
                fmt::format("'{}' on the branch is no folder, so no entry can go into it", printable(folder)),
                "remove it from the branch, or keep the ledger on a branch of its own (--branch)");
        }
        std::vector<GitTreeChange> changes;
        for (const AppendPlan::Change& file : files) {
            changes.push_back({.name = file.name, .id = file.text.empty() ? GitId() : repo.write_blob(file.text)});
        }
        GitId tree = repo.write_tree(found == standing.end() ? GitId() : found->second.id, changes);
        root_changes.push_back({.name = folder, .id = tree == kEmptyTree ? GitId() : std::move(tree), .folder = true});
    }
    return repo.write_tree(root, root_changes);
}

}  // namespace wheelarch
