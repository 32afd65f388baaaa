#include "cli/commands.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <ostream>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "cli/action.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "policy/arch_check.hpp"
#include "policy/arch_list.hpp"
#include "policy/coverage.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/torch_archs.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/names.hpp"
#include "report/text.hpp"
#include "wheel/inventory.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct Streams {
    std::ostream& out;
    std::ostream& err;
};

// Annotations go to standard error: a runner reads both streams, and standard output may be JSON.
void report_error(const Error& error, Streams streams) {
    print_error(streams.err, error);
    if (on_github()) {
        annotate(streams.err, {as_finding(error)});
        add_to_summary(error_summary(error));
    }
}

// Reads files one after the other. One that cannot be read does not keep the rest from being reported.
class Reading {
public:
    Reading(const ReadingOptions& options, bool keep_images, Streams streams)
        : options_(options),
          streams_(streams),
          witness_(parse_witness_mode(options.witness), options.cuobjdump,
                   std::chrono::seconds(options.cuobjdump_timeout)) {
        inventory_options_.exclude = options.exclude;
        inventory_options_.include = options.include;
        inventory_options_.keep_images = keep_images;
        inventory_options_.second_witness = [this](const MemberSource& source, const DeviceCode& code, Member& member) {
            witness_.ask(source, code, member);
        };
    }

    template <typename Report>
    void each(const std::vector<std::filesystem::path>& files, const Report& report) {
        for (const std::filesystem::path& file : files) {
            try {
                Inventory inventory = take_inventory(file, inventory_options_);
                inventory.findings.insert(inventory.findings.end(), witness_.findings().begin(),
                                          witness_.findings().end());
                report(inventory, options_.json.empty() ? std::string() : sha256_hex(file));
            } catch (const Error& error) {
                print_error(streams_.err, error);
                to_annotate_.push_back(as_finding(error));
                if (on_github()) {
                    add_to_summary(error_summary(error));
                }
                errors_.push_back({{"file", valid_utf8(file.string())},
                                   {"message", valid_utf8(error.what())},
                                   {"fix", valid_utf8(error.fix())}});
                worst_ = std::max(worst_, error.code());
            }
        }
        if (on_github()) {
            annotate(streams_.err, to_annotate_);  // of all files at once: the runner's limits are per step
        }
    }

    void note(const std::vector<Finding>& findings) {
        to_annotate_.insert(to_annotate_.end(), findings.begin(), findings.end());
    }

    // The errors so far, as they stand in every JSON result.
    const json::array& errors() const { return errors_; }
    // The program that was asked, if any.
    const std::optional<Cuobjdump>& cuobjdump() const { return witness_.cuobjdump(); }
    ExitCode worst(ExitCode code) const { return std::max(code, worst_); }

private:
    const ReadingOptions& options_;
    Streams streams_;
    SecondWitness witness_;
    InventoryOptions inventory_options_;
    json::array errors_;
    std::vector<Finding> to_annotate_;
    ExitCode worst_ = ExitCode::ok;
};

void write_result(const ReadingOptions& options, json::object result, const Reading& reading) {
    if (!options.json.empty()) {
        result["errors"] = reading.errors();
        result["cuobjdump"] = cuobjdump_json(reading.cuobjdump());
        write_json(options.json, result);
    }
}

ExitCode inspect(const InspectOptions& options, Streams streams) {
    const auto files = expand_inputs(options.files, InputKind::any);
    Reading reading(options.reading, options.images, streams);
    json::array results;
    reading.each(files, [&](const Inventory& inventory, const std::string& sha256) {
        if (options.reading.json != "-") {
            print_inventory(streams.out, inventory, options.images);
        }
        results.push_back(inventory_json(inventory, sha256, options.images));
    });
    write_result(options.reading, inspect_json(std::move(results)), reading);
    return reading.worst(ExitCode::ok);
}

// What is to be said of a list; an arch that the CUDA release cannot build is thrown, since no wheel can have it.
std::vector<Finding> judge_list(const ArchList& list, const AssertOptions& options, std::string_view place) {
    std::vector<Finding> findings = list.findings;
    const auto add = [&](std::vector<Finding> more) {
        std::move(more.begin(), more.end(), std::back_inserter(findings));
    };
    if (!options.cuda.empty()) {
        add(check_buildable(list.archs, parse_cuda_version(options.cuda), place));
    }
    if (!options.torch.empty()) {
        add(check_torch(list.archs, parse_torch_version(options.torch), place));
    }
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::error) {
            throw bad_usage(finding.message, finding.fix).inside(finding.place);
        }
    }
    return findings;
}

Requirement make_requirement(const AssertOptions& options, std::vector<Finding>& findings) {
    Requirement requirement;
    requirement.per_member = options.per_member;
    requirement.device_code_none = options.device_code == "none";
    if (requirement.device_code_none) {
        if (!options.arch_list.empty() || !options.expect_members.empty()) {
            throw bad_usage("--device-code none asks for no archs, but others are requested too",
                            "remove --arch-list and --expect-member");
        }
        return requirement;
    }
    if (options.arch_list.empty()) {
        throw bad_usage("nothing is requested",
                        "give --arch-list, for example --arch-list \"8.0;9.0+PTX\", or --device-code none");
    }
    requirement.list = parse_arch_list(options.arch_list, "--arch-list");
    findings = judge_list(requirement.list, options, "--arch-list");
    for (const std::string& text : options.expect_members) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw bad_usage(fmt::format("--expect-member '{}' is not GLOB=LIST", printable(text)),
                            "for example --expect-member 'pkg/_C_90a*.so=9.0a'");
        }
        requirement.members.push_back(
            {text.substr(0, equals), parse_arch_list(text.substr(equals + 1), "--expect-member")});
        for (Finding& finding : judge_list(requirement.members.back().list, options, "--expect-member")) {
            findings.push_back(std::move(finding));
        }
    }
    return requirement;
}

// One wheel: its result itself. Several: all of them, under one verdict, which is `unchecked` if one could not be read.
json::object assert_result(json::array results, std::size_t wheels, std::string_view verdict) {
    if (wheels == 1 && results.size() == 1) {
        return std::move(results.front().as_object());
    }
    return {{"schema", kSchema}, {"verdict", verdict}, {"results", std::move(results)}};
}

ExitCode assert_archs(const AssertOptions& options, Streams streams, AssertTotals* totals) {
    std::vector<Finding> of_list;
    const Requirement requirement = make_requirement(options, of_list);
    const auto wheels = expand_inputs(options.wheels, InputKind::wheels);
    Reading reading(options.reading, false, streams);
    json::array results;
    bool match = true;
    reading.each(wheels, [&](const Inventory& inventory, const std::string& sha256) {
        Verdict verdict = check_archs(inventory, requirement);
        verdict.findings.insert(verdict.findings.begin(), of_list.begin(), of_list.end());
        match = match && verdict.match;
        if (options.reading.json != "-") {
            print_verdict(streams.out, inventory, verdict);
        }
        reading.note(verdict.findings);
        if (on_github()) {
            add_to_summary(verdict_summary(inventory, verdict));
        }
        if (totals != nullptr) {
            totals->observed.add(verdict.observed);
        }
        results.push_back(verdict_json(inventory, sha256, verdict, options.arch_list));
    });
    const ExitCode code = reading.worst(match ? ExitCode::ok : ExitCode::findings);
    write_result(options.reading, assert_result(std::move(results), wheels.size(), verdict_name(code)), reading);
    return code;
}

ExitCode coverage(const CoverageOptions& options, Streams streams) {
    if (options.wheel.empty() == options.arch_list.empty()) {
        throw bad_usage("coverage needs a WHEEL or an --arch-list, one of the two",
                        "for example wheelarch coverage --arch-list \"8.0;9.0+PTX\"");
    }
    std::vector<Gpu> gpus;
    std::transform(options.gpus.begin(), options.gpus.end(), std::back_inserter(gpus), find_gpu);
    Reading reading(options.reading, false, streams);
    ArchSet archs;
    if (!options.arch_list.empty()) {
        const ArchList list = parse_arch_list(options.arch_list, "--arch-list");
        print_findings(streams.err, list.findings);
        archs = list.archs;
    } else {
        reading.each({options.wheel},
                     [&](const Inventory& inventory, const std::string&) { archs = observed(inventory); });
        if (reading.worst(ExitCode::ok) != ExitCode::ok) {
            return reading.worst(ExitCode::ok);
        }
    }
    std::vector<Coverage> lines;
    for (const Gpu& gpu : gpus.empty() ? known_gpus() : gpus) {
        lines.push_back(cover(archs, gpu));
    }
    const std::string source = options.wheel.empty() ? options.arch_list : options.wheel;
    if (options.reading.json != "-") {
        streams.out << printable(source) << "  " << to_text(archs) << '\n';
        print_coverage(streams.out, lines);
    }
    write_result(options.reading, coverage_json(archs, source, lines), reading);
    const bool all_run =
        std::none_of(lines.begin(), lines.end(), [](const Coverage& line) { return line.reach == Reach::none; });
    return gpus.empty() || all_run ? ExitCode::ok : ExitCode::findings;
}

ExitCode dispatch(const std::vector<std::string>& arguments, Streams streams, AssertTotals* totals) {
    const Options options = parse_options(arguments, streams.out);
    if (options.inspect) {
        return inspect(*options.inspect, streams);
    }
    if (options.asserted) {
        return assert_archs(*options.asserted, streams, totals);
    }
    if (options.coverage) {
        return coverage(*options.coverage, streams);
    }
    if (options.action) {
        return run_action(streams.out, [&](const std::vector<std::string>& command, AssertTotals& of_action) {
            return dispatch(command, streams, &of_action);
        });
    }
    return ExitCode::ok;
}

}  // namespace

ExitCode run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
    const Streams streams = {out, err};
    try {
        const ExitCode code = dispatch(arguments, streams, nullptr);
        out.flush();
        if (!out) {
            throw unchecked("cannot write to standard output");
        }
        return code;
    } catch (const Error& error) {
        report_error(error, streams);
        return error.code();
    } catch (const std::bad_alloc&) {
        report_error(
            unchecked("out of memory", "the input is damaged or made to exhaust memory; report it if it is neither"),
            streams);
    } catch (const std::exception& error) {
        report_error(unchecked(error.what(), "this is not expected: report it"), streams);
    }
    return ExitCode::unchecked;
}

}  // namespace wheelarch
