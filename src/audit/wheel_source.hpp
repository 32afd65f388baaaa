// WheelSource: where the published wheels of a sweep come from: files that are here, or the releases of a farm, whose
// wheels are had one at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/audit_result.hpp"
#include "audit/state_file.hpp"
#include "base/error.hpp"
#include "base/finding.hpp"
#include "plan/gh.hpp"

namespace wheelarch {

struct SourceWheel {
    std::string label;   // as results and messages name it: the path as it was given, or `<package>-latest/FILE.whl`
    std::string name;    // the file name
    FileMark mark;       // of a release: size, and the asset's id
    std::string sha256;  // lowercase hex, as the release states it; empty if nobody does
};

class WheelSource {
public:
    virtual ~WheelSource() = default;

    // In the order of the sweep.
    virtual const std::vector<SourceWheel>& wheels() const = 0;
    // Calls `use` with a file of the wheel's own name, which is there for that time only. Threads may call it at the
    // same time. Throws an Error (exit 3) if it cannot be had or is damaged; what `use` throws goes on.
    virtual void with_file(std::size_t index, const std::function<void(const std::filesystem::path&)>& use) const = 0;
    // What is to be said once of the source as a whole.
    virtual const std::vector<Finding>& findings() const = 0;
};

std::vector<std::string> names_of(const std::vector<SourceWheel>& wheels);
// The labels of those that are files here are their paths, which no output may overwrite.
std::vector<std::filesystem::path> labels_of(const std::vector<SourceWheel>& wheels);
// The package that a file name tells; empty if that is no wheel's.
std::string package_by_name(const std::string& file_name);
// The result of one that could not be had.
AuditResult not_had(const SourceWheel& wheel, const Error& error);

// Which of them are one wheel by their names, in whatever spelling: positions, two or more each.
std::vector<std::vector<std::size_t>> published_twice(const std::vector<SourceWheel>& wheels);
// What is said of one of them, at which `other` is beside it.
Finding published_twice_finding(const SourceWheel& one, const SourceWheel& other, Severity severity);

// A file that is not there has the mark of an empty one; with_file() hands its path on all the same.
std::unique_ptr<WheelSource> local_wheels(const std::vector<std::filesystem::path>& paths);

// The wheels among these assets, each once; others are let be. A wheel is downloaded into the first folder for
// temporary files that can be written, and removed after its use. Uploads that have not finished are among findings().
// Throws an Error (exit 3) if there is no such folder.
std::unique_ptr<WheelSource> release_wheels(Releases releases, std::vector<ReleaseAsset> assets);

}  // namespace wheelarch
