#include "lint/device_code.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lint/build/file_targets.hpp"
#include "lint/device/device_facts.hpp"

namespace wheelarch {
namespace {

// Finds a header by the path that an #include names, for which the build has include folders: the file of the package
// that ends in it, if there is but one.
class HeaderFinder {
public:
    explicit HeaderFinder(const PackageSources& sources) : sources_(sources) {
        for (const SourceFile& file : sources.files()) {
            if (may_be_device_code(file)) {
                by_name_[name_of(file.path)].push_back(&file);
            }
        }
    }

    const SourceFile* find(const std::string& path) {
        const auto [known, is_new] = known_.try_emplace(path, nullptr);
        if (is_new) {
            known->second = search(path);
        }
        return known->second;
    }

private:
    const SourceFile* search(const std::string& path) const {
        if (const SourceFile* exact = sources_.find(path)) {
            return exact;
        }
        const auto named = by_name_.find(name_of(path));
        if (named == by_name_.end()) {
            return nullptr;
        }
        const std::string ending = "/" + path;
        const SourceFile* found = nullptr;
        for (const SourceFile* file : named->second) {
            if (file->path.ends_with(ending)) {
                if (found != nullptr) {
                    return nullptr;
                }
                found = file;
            }
        }
        return found;
    }

    static std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

    const PackageSources& sources_;
    std::unordered_map<std::string_view, std::vector<const SourceFile*>> by_name_;
    std::unordered_map<std::string, const SourceFile*> known_;
};

std::vector<LintHit> check_all(const PackageSources& sources, DevicePackage& device) {
    std::vector<LintHit> hits;
    std::vector<LintHit> of_file;
    for (const SourceFile& file : sources.files()) {
        const DeviceFacts& facts = device.facts(file);
        for (const Rule* rule : rules()) {
            if (rule->in_device_code != nullptr) {
                rule->in_device_code(facts, of_file);
                add_hits(hits, *rule, file, of_file);
            }
        }
    }
    return hits;
}

FileTargets targets_in(const PackageSources& sources) {
    FileTargets targets;
    for (const SourceFile& file : sources.files()) {
        if (file.language == SourceFile::Language::cmake) {
            targets.add_script(file.path, file.text);
        }
    }
    return targets;
}

// A source that the host's compiler takes: no pass of nvcc sees it.
bool is_for_host(std::string_view path) {
    return path.ends_with(".c") || path.ends_with(".cc") || path.ends_with(".cpp") || path.ends_with(".cxx");
}

// Such a source, or a header that none but such include. Headers that include each other include nobody.
bool is_for_host_alone(const std::string& path, const DevicePackage& device) {
    constexpr std::size_t kMostFollowed = 1'000;
    std::vector<std::string> to_do = {path};
    std::set<std::string> seen = {path};
    bool host_includes = false;
    while (!to_do.empty()) {
        const std::string file = std::move(to_do.back());
        to_do.pop_back();
        if (is_for_host(file)) {
            host_includes = true;
            continue;
        }
        const std::vector<std::string>& files = device.includers(file);
        if (files.empty() || file.ends_with(".cu") || seen.size() > kMostFollowed) {
            return false;
        }
        std::copy_if(files.begin(), files.end(), std::back_inserter(to_do),
                     [&](const std::string& other) { return seen.insert(other).second; });
    }
    return host_includes;
}

}  // namespace

std::vector<LintHit> hits_in_device_code(const PackageSources& sources, const HitsMatter& matter) {
    HeaderFinder headers(sources);
    const FileTargets targets = targets_in(sources);
    DevicePackage device([&](const std::string& path) { return headers.find(path); },
                         [&](const SourceFile& file) { return targets.passes(file.path); });
    std::vector<LintHit> hits = check_all(sources, device);
    // What follows takes away, and costs more than all before.
    if (!matter(hits)) {
        return {};
    }
    std::set<std::string_view> with_hits;
    for (const LintHit& hit : hits) {
        with_hits.insert(hit.path);
    }
    device.narrow(sources.files(), [&](const SourceFile& file) { return with_hits.contains(file.path); });
    hits = check_all(sources, device);
    const auto includers = [&](const std::string& path) -> const auto& { return device.includers(path); };
    std::erase_if(hits, [&](LintHit& hit) {
        if (!hit.rule->about_host && is_for_host_alone(hit.path, device)) {
            return true;
        }
        targets.narrow(hit.needs, hit.path, includers);
        return hit.needs.empty();
    });
    for (const Rule* rule : rules()) {
        if (rule->in_package != nullptr) {
            rule->in_package(*rule, sources, hits);
        }
    }
    return hits;
}

}  // namespace wheelarch
