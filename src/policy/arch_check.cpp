#include "policy/arch_check.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "policy/coverage.hpp"
#include "policy/neighbours.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShown = 4;  // items of a list in a message

// What is compared at once: a group of members and the archs asked of them.
struct Subject {
    std::string place;
    ArchSet requested;
    std::vector<const Member*> members;
    std::string pattern;  // of the members' own expectation; empty for the union
};

ArchSet archs_of(const std::vector<const Member*>& members, ArchSet Member::* field) {
    ArchSet archs;
    for (const Member* member : members) {
        archs.add(member->*field);
    }
    return archs;
}

std::vector<std::string> paths_with(const std::vector<const Member*>& members, ArchSet Member::* field,
                                    const ArchSet& archs) {
    std::vector<std::string> paths;
    for (const Member* member : members) {
        if (minus(archs, member->*field) != archs) {
            paths.push_back(member->path);
        }
    }
    return paths;
}

// Elements that are in both.
ArchSet both(const ArchSet& a, const ArchSet& b) {
    return minus(a, minus(a, b));
}

std::set<Arch> same_number(const std::set<Arch>& archs, const std::set<Arch>& among) {
    std::set<Arch> found;
    std::copy_if(among.begin(), among.end(), std::inserter(found, found.end()), [&](Arch candidate) {
        return std::any_of(archs.begin(), archs.end(), [&](Arch arch) { return arch.number == candidate.number; });
    });
    return found;
}

// Elements of `among` that differ from an element of `archs` in nothing but the suffix.
ArchSet other_suffix(const ArchSet& archs, const ArchSet& among) {
    return {same_number(archs.sass, among.sass), same_number(archs.ptx, among.ptx)};
}

class Comparison {
public:
    explicit Comparison(const Subject& subject)
        : subject_(subject),
          observed_(archs_of(subject.members, &Member::archs)),
          missing_(minus(subject.requested, observed_)),
          extra_(minus(observed_, subject.requested)) {}

    std::vector<Finding> findings() {
        ArchSet unexplained = missing_;
        take_out(unexplained, kernelless());
        const ArchSet misspelt = other_suffix(unexplained, extra_);
        const ArchSet asked_for = other_suffix(misspelt, unexplained);
        wrong_suffix(asked_for, misspelt);
        take_out(unexplained, asked_for);
        missing(unexplained);
        extra(minus(extra_, misspelt));
        if (!findings_.empty()) {
            findings_.back().fix = fix();
        }
        kernelless_extra();
        relocatable_only();
        return std::move(findings_);
    }

    const ArchSet& observed() const { return observed_; }
    const ArchSet& missing() const { return missing_; }
    const ArchSet& extra() const { return extra_; }

private:
    static void take_out(ArchSet& from, const ArchSet& archs) { from = minus(from, archs); }

    void error(std::string rule, std::string message) {
        findings_.push_back({std::move(rule), Severity::error, subject_.place, std::move(message), {}});
    }

    std::string where(ArchSet Member::* field, const ArchSet& archs) const {
        return enumerate(paths_with(subject_.members, field, archs), kShown);
    }

    ArchSet kernelless() {
        const ArchSet found = both(missing_, archs_of(subject_.members, &Member::kernelless_archs));
        if (!found.empty()) {
            error(
                "kernelless-arch",
                fmt::format(
                    "{} requested, but there only as images without a kernel, in {}: a device link adds them for "
                    "the archs of its own command line, a source without kernels makes them, and nothing runs on them",
                    to_text(found), where(&Member::kernelless_archs, found)));
        }
        return found;
    }

    void wrong_suffix(const ArchSet& asked_for, const ArchSet& found) {
        if (!found.empty()) {
            error("wrong-suffix",
                  fmt::format("{} requested, found {} in {}: the suffix is part of the arch, and code with "
                              "it runs on that device or family only",
                              to_text(asked_for), to_text(found), where(&Member::archs, found)));
        }
    }

    void missing(const ArchSet& archs) {
        if (!archs.sass.empty()) {
            error("missing-arch",
                  fmt::format("{} requested, but no image of it is there{}{}", to_text({archs.sass, {}}),
                              default_arch_hint(), what_devices_load(observed_, archs.sass)));
        }
        if (!archs.ptx.empty()) {
            error("missing-ptx",
                  fmt::format("{} requested (+PTX), but no PTX of it is there{}", to_text({{}, archs.ptx}),
                              observed_.ptx.empty() ? ": newer GPUs have nothing to compile" : ""));
        }
    }

    // nvcc's default is sm_52 up to CUDA 12 and sm_75 in CUDA 13.
    std::string default_arch_hint() const {
        const bool only_default = observed_.sass == std::set<Arch>{{52}} || observed_.sass == std::set<Arch>{{75}};
        return only_default
                   ? fmt::format(", only nvcc's default {}: the build ignored the list (CMake reads CUDAARCHS)",
                                 to_text({observed_.sass, {}}))
                   : "";
    }

    void extra(const ArchSet& archs) {
        if (!archs.empty()) {
            error("extra-arch",
                  fmt::format("{} found in {}, but not requested", to_text(archs), where(&Member::archs, archs)));
        }
    }

    std::string fix() const {
        const std::string list = to_arch_list(observed_);
        if (list.empty()) {
            return "find out why no kernel was compiled; or, if kernels are compiled at run time (NVRTC, Triton), "
                   "declare it: "
                   "--device-code none, in the package's YAML `device_code: none`";
        }
        const std::string declared =
            subject_.pattern.empty()
                ? fmt::format("--arch-list \"{0}\", in the package's YAML `expect_archs: \"{0}\"`", list)
                : fmt::format(
                      "--expect-member \"{0}={1}\", in the package's YAML `expect_members: {{\"{0}\": \"{1}\"}}`",
                      subject_.pattern, list);
        return "build with the requested list; or, if this is meant, declare it: " + declared;
    }

    void kernelless_extra() {
        const ArchSet found = minus(archs_of(subject_.members, &Member::kernelless_archs), [&] {
            ArchSet known = subject_.requested;
            known.add(observed_);
            return known;
        }());
        if (!found.empty()) {
            findings_.push_back({"kernelless-extra",
                                 Severity::notice,
                                 subject_.place,
                                 fmt::format("{} also there, as images without a kernel, in {}; they do not count",
                                             to_text(found), where(&Member::kernelless_archs, found)),
                                 {}});
        }
    }

    void relocatable_only() {
        const ArchSet found = both(subject_.requested, archs_of(subject_.members, &Member::relocatable_archs));
        if (!found.empty()) {
            findings_.push_back(
                {"relocatable-only",
                 Severity::notice,
                 subject_.place,
                 fmt::format("{} only in the relocatable fatbin (__nv_relfatbin) of {}: the driver links it "
                             "when the library is loaded",
                             to_text(found), where(&Member::relocatable_archs, found)),
                 {}});
        }
    }

    const Subject& subject_;
    ArchSet observed_;
    ArchSet missing_;
    ArchSet extra_;
    std::vector<Finding> findings_;
};

class Check {
public:
    Check(const Inventory& inventory, const Requirement& requirement)
        : inventory_(inventory), requirement_(requirement) {
        for (const Member& member : inventory.members) {
            if (member.role == Role::extension) {
                extensions_.push_back(&member);
            }
        }
    }

    Verdict run() {
        verdict_.findings = all_findings(inventory_);
        if (!requirement_.jit.empty()) {
            expect_jit();
        } else if (requirement_.device_code_none) {
            expect_none();
        } else if (extensions_.empty()) {
            expect_some();
        } else {
            compare();
            append(check_neighbours(inventory_, extensions_, union_, requirement_.per_member));
        }
        verdict_.match = !fails(verdict_.findings);
        return std::move(verdict_);
    }

private:
    std::string place(const Member& member) const { return place_of(inventory_, member); }

    void add(std::string rule, Severity severity, std::string where, std::string message, std::string fix = {}) {
        verdict_.findings.push_back({std::move(rule), severity, std::move(where), std::move(message), std::move(fix)});
    }

    void expect_jit() {
        verdict_.observed = archs_of(extensions_, &Member::archs);
        add("jit", Severity::notice, inventory_.file_name,
            fmt::format("its archs ({}) are not judged: {}", to_text(verdict_.observed), requirement_.jit));
    }

    void expect_none() {
        verdict_.observed = archs_of(extensions_, &Member::archs);
        verdict_.extra = verdict_.observed;
        for (const Member* member : extensions_) {
            if (member->archs.empty()) {
                add("kernelless-extra", Severity::notice, place(*member),
                    fmt::format("holds {} without a kernel, for {}; they do not count as device code",
                                count_of(member->kernelless_count, "image"), to_text(member->kernelless_archs)));
                continue;
            }
            add("unexpected-device-code", Severity::error, place(*member),
                fmt::format("declared to have no device code, but holds {} ({})", to_text(member->archs),
                            count_of(member->image_count, "image")),
                "request its archs with --arch-list instead of --device-code none (in the package's YAML, remove "
                "`device_code: none`)");
        }
        for (const Member& member : inventory_.members) {
            if (member.counted_role == Role::extension) {
                expect_none_outside(member);
            }
        }
    }

    void expect_none_outside(const Member& member) {
        ArchSet archs = member.unregistered.archs;
        archs.add(member.embedded.archs);
        if (!archs.empty()) {
            add("unexpected-device-code", Severity::error, place(member),
                fmt::format("declared to have no device code, but holds {} ({}) outside of what the CUDA runtime "
                            "registers",
                            to_text(archs), count_of(member.unregistered.images + member.embedded.images, "image")),
                "if the package loads it itself, request its archs with --arch-list and --count-embedded; or name the "
                "member with --exclude");
        }
        if (member.amd) {
            add("unexpected-device-code", Severity::error, place(member),
                "declared to have no device code, but has code for AMD GPUs",
                "ship it in a wheel of its own, or name the member with --exclude");
        }
    }

    void expect_some() {
        verdict_.requested = requirement_.list.archs;
        verdict_.missing = verdict_.requested;
        std::vector<std::string> vendored;
        std::vector<std::string> intermediate;
        std::vector<std::string> outside;
        for (const Member& member : inventory_.members) {
            if (member.role == Role::vendored) {
                vendored.push_back(member.path);
            } else if (member.region_count > 0) {
                intermediate.push_back(member.path);
            }
            if (member.embedded.images > 0 && member.counted_role == Role::extension) {
                outside.push_back(member.path);
            }
        }
        add("no-device-code", Severity::error, inventory_.file_name,
            fmt::format("{} requested, but no member has device code{}{}", to_text(verdict_.requested),
                        vendored.empty() ? "" : " other than vendored libraries: " + enumerate(vendored, kShown),
                        intermediate.empty()
                            ? ""
                            : "; only LTO-IR or images of other kinds are in " + enumerate(intermediate, kShown)),
            !outside.empty() ? "it lies in the data of " + enumerate(outside, kShown) +
                                   ": if the package loads it itself, make it count: --count-embedded, in the "
                                   "package's YAML `count_embedded: true`"
            : vendored.empty()
                ? "find out why the build made none; or, if this is meant, declare it: --device-code none, in the "
                  "package's YAML `device_code: none`"
                : "if one of them is the package's own, name it with --include");
    }

    // The members with an expectation of their own, by the first pattern that matches; the rest make up the union.
    void compare() {
        std::vector<Subject> subjects(requirement_.members.size());
        for (const Member* member : extensions_) {
            const auto expectation = std::find_if(
                requirement_.members.begin(), requirement_.members.end(),
                [&](const MemberExpectation& candidate) { return matches(candidate.pattern, member->path); });
            if (expectation == requirement_.members.end()) {
                union_.push_back(member);
            } else {
                subjects[static_cast<std::size_t>(expectation - requirement_.members.begin())].members.push_back(
                    member);
            }
        }
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            compare_expected(subjects[i], requirement_.members[i]);
        }
        if (union_.empty()) {
            verdict_.requested = requirement_.list.archs;
            verdict_.observed = archs_of(extensions_, &Member::archs);
            add("unused-arch-list", Severity::warning, inventory_.file_name,
                "each extension has an expectation of its own, so nothing is held to the arch list",
                "narrow the patterns of --expect-member");
            return;
        }
        const Subject whole = {inventory_.file_name, requirement_.list.archs, union_, ""};
        Comparison comparison(whole);
        append(comparison.findings());
        verdict_.requested = whole.requested;
        verdict_.observed = comparison.observed();
        verdict_.missing = comparison.missing();
        verdict_.extra = comparison.extra();
    }

    void compare_expected(const Subject& matched, const MemberExpectation& expectation) {
        if (matched.members.empty()) {
            add("unused-expectation", Severity::error, inventory_.file_name,
                fmt::format("no extension matches the expected member '{}'", expectation.pattern),
                "correct the pattern or remove it");
        }
        for (const Member* member : matched.members) {
            const Subject one = {place(*member), expectation.list.archs, {member}, expectation.pattern};
            append(Comparison(one).findings());
        }
    }

    void append(std::vector<Finding> findings) {
        std::move(findings.begin(), findings.end(), std::back_inserter(verdict_.findings));
    }

    const Inventory& inventory_;
    const Requirement& requirement_;
    std::vector<const Member*> extensions_;
    std::vector<const Member*> union_;
    Verdict verdict_;
};

}  // namespace

std::string what_devices_load(const ArchSet& observed, const std::set<Arch>& missing) {
    std::vector<std::string> items;
    for (const Arch arch : missing) {
        const Coverage coverage = cover(observed, {{}, {arch.number, '\0'}, false});
        const std::string device = torch_name({arch.number, '\0'});
        if (coverage.reach == Reach::native) {
            items.push_back(fmt::format("{} devices load {}", device, sass_name(*coverage.by)));
        } else if (coverage.reach == Reach::jit) {
            items.push_back(fmt::format("{} devices compile {}", device, ptx_name(*coverage.by)));
        } else if (coverage.reach == Reach::none) {
            items.push_back(fmt::format("{} devices have nothing to run", device));
        }
    }
    return items.empty() ? "" : "; " + enumerate(items, kShown);
}

Verdict check_archs(const Inventory& inventory, const Requirement& requirement) {
    if (!requirement.count_embedded) {
        return Check(inventory, requirement).run();
    }
    Inventory counted = inventory;
    count_embedded(counted);
    return Check(counted, requirement).run();
}

}  // namespace wheelarch
