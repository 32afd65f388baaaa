#include "audit/wheel_source.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/scratch.hpp"
#include "base/text.hpp"
#include "ledger/append_plan.hpp"
#include "ledger/build_facts.hpp"
#include "ledger/entry.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

class LocalWheels : public WheelSource {
public:
    explicit LocalWheels(const std::vector<fs::path>& paths) {
        std::transform(paths.begin(), paths.end(), std::back_inserter(wheels_), [](const fs::path& path) {
            return SourceWheel{path.string(), path.filename().string(), mark_of(path).value_or(FileMark{}), {}};
        });
    }

    const std::vector<SourceWheel>& wheels() const override { return wheels_; }
    void with_file(std::size_t index, const std::function<void(const fs::path&)>& use) const override {
        use(wheels_[index].label);
    }
    const std::vector<Finding>& findings() const override { return findings_; }

private:
    std::vector<SourceWheel> wheels_;
    std::vector<Finding> findings_;
};

// A folder that is there for the time of one download.
class FolderForOne {
public:
    FolderForOne(const fs::path& parent, std::size_t number) : path_(parent / fmt::format("{}", number)) {
        fs::create_directory(path_);
    }
    FolderForOne(const FolderForOne&) = delete;
    FolderForOne& operator=(const FolderForOne&) = delete;
    ~FolderForOne() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

class ReleaseWheels : public WheelSource {
public:
    ReleaseWheels(Releases releases, std::vector<ReleaseAsset> assets)
        : releases_(std::move(releases)), scratch_(fs::current_path()) {
        std::vector<std::string> unfinished;
        std::set<std::pair<std::string, std::int64_t>> seen;
        for (ReleaseAsset& asset : assets) {
            if (!asset.name.ends_with(".whl")) {
                continue;
            }
            if (!seen.emplace(asset.release, asset.id).second) {
                continue;  // a page that was saved twice
            }
            if (!asset.uploaded) {
                unfinished.push_back(asset.name);
                continue;
            }
            wheels_.push_back({asset.release.empty() ? asset.name : asset.release + "/" + asset.name, asset.name,
                               FileMark{asset.size, asset.id}, asset.sha256});
            assets_.push_back(std::move(asset));
        }
        findings_ = unfinished_uploads(unfinished);
    }

    const std::vector<SourceWheel>& wheels() const override { return wheels_; }
    const std::vector<Finding>& findings() const override { return findings_; }

    void with_file(std::size_t index, const std::function<void(const fs::path&)>& use) const override {
        const ReleaseAsset& asset = assets_[index];
        if (!is_ledger_name(asset.name)) {
            throw unchecked("its name has characters that no wheel file name has", "upload it under a right name")
                .inside(printable(wheels_[index].label));
        }
        const FolderForOne folder(scratch_.path(), index);
        inside(printable(wheels_[index].label), [&] { releases_.download(asset, folder.path() / asset.name); });
        use(folder.path() / asset.name);
    }

private:
    Releases releases_;
    ScratchFolder scratch_;
    std::vector<ReleaseAsset> assets_;
    std::vector<SourceWheel> wheels_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<std::string> names_of(const std::vector<SourceWheel>& wheels) {
    std::vector<std::string> names;
    std::transform(wheels.begin(), wheels.end(), std::back_inserter(names),
                   [](const SourceWheel& one) { return one.name; });
    return names;
}

std::vector<std::filesystem::path> labels_of(const std::vector<SourceWheel>& wheels) {
    std::vector<std::filesystem::path> labels;
    std::transform(wheels.begin(), wheels.end(), std::back_inserter(labels),
                   [](const SourceWheel& one) { return std::filesystem::path(one.label); });
    return labels;
}

std::string package_by_name(const std::string& file_name) {
    try {
        return facts_of(parse_wheel_name(file_name)).cell.package;
    } catch (const Error&) {
        return {};
    }
}

AuditResult not_had(const SourceWheel& wheel, const Error& error) {
    AuditResult result;
    result.file = wheel.label;
    result.package = package_by_name(wheel.name);
    result.findings = {{"unreadable", Severity::error, {}, error.what(), error.fix()}};
    make_small(result);
    return result;
}

std::vector<std::vector<std::size_t>> published_twice(const std::vector<SourceWheel>& wheels) {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < wheels.size(); ++i) {
        by_name[wheel_key(wheels[i].name)].push_back(i);
    }
    std::vector<std::vector<std::size_t>> several;
    for (auto& [name, positions] : by_name) {
        if (positions.size() > 1) {
            several.push_back(std::move(positions));
        }
    }
    return several;
}

Finding published_twice_finding(const SourceWheel& one, const SourceWheel& other, Severity severity) {
    return {.rule = "published-twice",
            .severity = severity,
            .place = printable(one.label),
            .message = fmt::format("it and {} are the same wheel by their names, and one entry is for both",
                                   printable(other.label)),
            .fix = "delete the one that is not meant; pip takes either"};
}

std::unique_ptr<WheelSource> local_wheels(const std::vector<fs::path>& paths) {
    return std::make_unique<LocalWheels>(paths);
}

std::unique_ptr<WheelSource> release_wheels(Releases releases, std::vector<ReleaseAsset> assets) {
    return std::make_unique<ReleaseWheels>(std::move(releases), std::move(assets));
}

}  // namespace wheelarch
