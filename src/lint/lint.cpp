#include "lint/lint.hpp"

#include <algorithm>

#include "lint/build/build_settings.hpp"
#include "lint/ignores.hpp"
#include "lint/judge.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

// The setup.py of a further package in the sources: the build of this one does not run it.
bool is_of_another_build(const Package& package, const PackageSources& sources, const std::string& path) {
    constexpr std::string_view kScript = "setup.py";
    const std::string folder = build_folder(package);
    const bool is_script = path.ends_with(kScript) && path.size() > kScript.size();
    const bool has_own =
        sources.find(folder + std::string(kScript)) != nullptr || sources.find(folder + "pyproject.toml") != nullptr;
    return is_script && has_own && path != folder + std::string(kScript) &&
           path[path.size() - kScript.size() - 1] == '/';
}

// A Makefile beside a setup.py, if no Python script runs make, is for the authors.
void leave_out_makefiles(const PackageSources& sources, std::vector<LintHit>& hits) {
    using Language = SourceFile::Language;
    const auto in_makefile = [&](const LintHit& hit) {
        const SourceFile* file = sources.find(hit.path);
        return file != nullptr && file->language == Language::makefile;
    };
    const auto runs_make = [](const SourceFile& file) {
        return file.language == Language::python && (has_part(file.text, "\"make") || has_part(file.text, "'make"));
    };
    const bool is_python_package = sources.find("setup.py") != nullptr || sources.find("pyproject.toml") != nullptr;
    if (is_python_package && std::any_of(hits.begin(), hits.end(), in_makefile) &&
        std::none_of(sources.files().begin(), sources.files().end(), runs_make)) {
        std::erase_if(hits, in_makefile);
    }
}

}  // namespace

std::string build_folder(const Package& package) {
    const auto field = package.fields.find("build_subdir");
    return field == package.fields.end() || field->second.empty() || field->second == "."
               ? ""
               : std::filesystem::path(field->second + "/").lexically_normal().generic_string();
}

std::vector<LintHit> look_at(const PackageSources& sources, const HitsMatter& matter) {
    std::vector<LintHit> hits = hits_in_device_code(sources, matter);
    std::vector<LintHit> of_file;
    for (const SourceFile& file : sources.files()) {
        const std::vector<BuildSetting> settings = build_settings(file);
        for (const Rule* rule : rules()) {
            if (rule->in_build_file != nullptr) {
                rule->in_build_file(settings, of_file);
                add_hits(hits, *rule, file, of_file);
            }
        }
    }
    leave_out_makefiles(sources, hits);
    return hits;
}

void add_tree(PackageLint& lint, const Package& package, const PackageSources& sources,
              const std::vector<DeclaredList>& declared) {
    lint.files += sources.files().size();
    lint.device_files +=
        static_cast<std::size_t>(std::count_if(sources.files().begin(), sources.files().end(),
                                               [](const SourceFile& file) { return may_be_device_code(file); }));
    lint.bytes += sources.bytes();
    lint.skipped.insert(lint.skipped.end(), sources.skipped().begin(), sources.skipped().end());
    lint.declared.insert(lint.declared.end(), declared.begin(), declared.end());
    const auto matter = [&](const std::vector<LintHit>& all) { return !judge(package, all, declared).empty(); };
    std::vector<LintHit> hits = look_at(sources, matter);
    std::erase_if(hits, [&](const LintHit& hit) { return is_of_another_build(package, sources, hit.path); });
    const std::vector<LintFinding> found = judge(package, hits, declared);
    lint.findings.insert(lint.findings.end(), found.begin(), found.end());
}

std::string file_of(const PackageLint& lint, const LintFinding& finding) {
    if (finding.in_policy) {
        return finding.path;
    }
    return lint.folder.empty()
               ? ""
               : (std::filesystem::path(lint.folder) / finding.path).lexically_normal().generic_string();
}

void finish(PackageLint& lint, const Package& package, bool all_rows) {
    const std::vector<LintFinding> of_policy = judge_policy(package, lint.declared);
    lint.findings.insert(lint.findings.end(), of_policy.begin(), of_policy.end());
    apply_ignores(package, lint.findings, all_rows);
    sort_findings(lint.findings);
}

}  // namespace wheelarch
