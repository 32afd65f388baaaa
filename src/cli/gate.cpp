#include "cli/gate.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/file_lock.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/inputs.hpp"
#include "cli/request.hpp"
#include "cli/version.hpp"
#include "ledger/build_info.hpp"
#include "ledger/expected.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/names.hpp"
#include "report/text.hpp"
#include "wheel/stamp.hpp"
#include "wheel/wheel_check.hpp"
#include "witness/toolkit.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct Judged {
    Inventory inventory;
    Verdict verdict;
};

// What a wheel says of itself and what the row says of it, as check_archs has what it holds.
std::vector<Finding> check_identity(const Inventory& inventory, const BuildFacts& facts) {
    std::vector<Finding> findings = check_wheel(inventory);
    const auto of_row = check_row(facts, parse_wheel_name(inventory.file_name), inventory.file_name);
    findings.insert(findings.end(), of_row.begin(), of_row.end());
    return findings;
}

// Findings that are about something else than the archs.
void add_findings(Verdict& verdict, const std::vector<Finding>& findings) {
    verdict.refused = verdict.refused || (verdict.match && fails(findings));
    verdict.match = verdict.match && !fails(findings);
    verdict.findings.insert(verdict.findings.end(), findings.begin(), findings.end());
}

// Judges each wheel and reports the verdict; `whole` judges it as a wheel too.
std::vector<Judged> judge(const std::vector<std::filesystem::path>& wheels, const BuildRequest& request, bool whole,
                          FileReading& reading, Streams streams, Totals& totals) {
    std::vector<Judged> all;
    reading.each(wheels, [&](Inventory& inventory) {
        Judged judged = {std::move(inventory), {}};
        if (request.requirement.count_embedded) {
            count_embedded(judged.inventory);
        }
        judged.verdict = check_archs(judged.inventory, request.requirement);
        add_findings(judged.verdict, request.findings);
        if (whole) {
            add_findings(judged.verdict, check_identity(judged.inventory, request.build.facts));
        } else if (judged.inventory.is_wheel) {
            add_findings(judged.verdict, check_wheel(judged.inventory));
        }
        if (reading.prints()) {
            print_verdict(streams.out, judged.inventory, judged.verdict);
        }
        reading.note(judged.verdict.findings);
        if (on_github()) {
            add_to_summary(verdict_summary(judged.inventory, judged.verdict));
        }
        totals.observed.add(judged.verdict.observed);
        all.push_back(std::move(judged));
    });
    return all;
}

// One word for all of them: that archs mismatch goes before what is wrong otherwise.
std::string_view common_verdict(const std::vector<Judged>& all, ExitCode code) {
    const auto holds_archs = [](const Judged& judged) { return judged.verdict.match || judged.verdict.refused; };
    const auto is_refused = [](const Judged& judged) { return judged.verdict.refused; };
    const auto refused = std::find_if(all.begin(), all.end(), is_refused);
    if (code == ExitCode::findings && refused != all.end() && std::all_of(all.begin(), all.end(), holds_archs)) {
        return verdict_name(refused->verdict);
    }
    return verdict_name(code);
}

ExitCode exit_code(const std::vector<Judged>& all, const FileReading& reading) {
    const bool match = std::all_of(all.begin(), all.end(), [](const Judged& judged) { return judged.verdict.match; });
    return reading.worst(match ? ExitCode::ok : ExitCode::findings);
}

// One wheel: its result itself. Several: all of them, under one verdict.
json::object joined(json::array results, std::size_t wheels, std::string_view verdict) {
    if (wheels == 1 && results.size() == 1) {
        return std::move(results.front().as_object());
    }
    return {{"schema", kSchema}, {"verdict", verdict}, {"results", std::move(results)}};
}

// nvcc is recorded if it can have built the wheel.
Toolchain find_toolchain(const std::optional<Cuobjdump>& cuobjdump, const std::string& cuda) {
    Toolchain toolchain;
    const std::string nvcc = nvcc_release();
    if (cuda.empty() || nvcc.starts_with(cuda + ".")) {
        toolchain.nvcc = nvcc;
    }
    if (cuobjdump) {
        toolchain.cuobjdump = to_text(cuobjdump->version);
    }
    toolchain.wheelarch = version();
    return toolchain;
}

// What was done to one wheel after it was judged.
struct Outcome {
    std::optional<Stamped> stamped;
    std::optional<Entry> entry;
    bool written = false;  // the entry, and the statement if there is to be one
};

// Stamps the wheels of one build.
class Stamper {
public:
    // `held_to`: what the wheels have passed; null if nothing was asserted.
    Stamper(const Build& build, const FileReading& reading, std::string arch_list, const Requirement* held_to)
        : build_(build), reading_(reading), arch_list_(std::move(arch_list)), run_(run_facts()) {
        if (held_to != nullptr) {
            expected_ = expected_json(*held_to, arch_list_);
        }
    }

    // Fills in `outcome` as far as it gets before an Error.
    void stamp(const Inventory& inventory, Outcome& outcome) const {
        BuildInfoInput input;
        input.facts = completed(build_, parse_wheel_name(inventory.file_name));
        input.facts.arch_list = arch_list_;
        input.defaults_sha256 = build_.farm ? build_.farm->policy_sha256 : "";
        input.toolchain = find_toolchain(reading_.cuobjdump(), input.facts.cell.cuda);
        input.witnesses = witnesses(inventory);
        input.run = run_;
        input.expected = expected_;
        const json::object build_info = make_build_info(inventory, input);
        const auto entry_of = [&](const std::string& sha256, std::uint64_t size) {
            return inside(inventory.file_name, [&] {
                return make_entry(build_info, inventory.file_name, sha256, size, std::time(nullptr));
            });
        };
        entry_of(std::string(64, '0'), 0);  // throws before the wheel is touched if it could not be recorded
        outcome.stamped = stamp_wheel(inventory, canonical_text(build_info), source_date_epoch());
        outcome.entry = entry_of(outcome.stamped->sha256, outcome.stamped->size);
    }

private:
    const Build& build_;
    const FileReading& reading_;
    std::string arch_list_;
    json::object run_;
    json::value expected_;
};

// As it is recorded; empty if nothing was requested.
std::string canonical_list(const std::string& arch_list) {
    return arch_list.empty() ? "" : canonical(parse_arch_list(arch_list, "the requested arch list"));
}

json::object stamped_json(const Stamped& stamped) {
    return {{"sha256", stamped.sha256}, {"size", stamped.size}, {"changed", stamped.changed}};
}

// The second half of gate: what is written of a wheel that holds.
void publish(const Inventory& inventory, const Stamper& stamper, const GateOptions& options, Outcome& outcome) {
    stamper.stamp(inventory, outcome);
    write_file(entry_path(inventory.path), canonical_text(outcome.entry->json));
    if (!options.statement.empty()) {
        write_file(options.statement, canonical_text(make_statement(*outcome.entry)));
    }
    outcome.written = true;
}

json::object gate_result(const Judged& judged, const Outcome& outcome, ExitCode code, const std::string& arch_list) {
    const Inventory& inventory = judged.inventory;
    const std::string sha256 = outcome.stamped ? outcome.stamped->sha256 : sha256_hex(inventory.path);
    json::object result = verdict_json(inventory, sha256, judged.verdict, arch_list);
    if (outcome.stamped) {
        result["size"] = outcome.stamped->size;
        result["verdict"] = outcome.written ? verdict_name(judged.verdict) : verdict_name(code);
    }
    result["stamped"] = outcome.stamped ? json::value(stamped_json(*outcome.stamped)) : json::value();
    result["entry"] = outcome.written ? json::value(valid_utf8(entry_path(inventory.path))) : json::value();
    return result;
}

void print_outcome(std::ostream& out, const Inventory& inventory, const Outcome& outcome) {
    if (outcome.stamped) {
        print_stamped(out, inventory.file_name, *outcome.stamped);
    }
    if (outcome.written) {
        print_entry_written(out, entry_path(inventory.path));
    }
}

// One of an earlier run would be taken for this one's if this wheel does not hold.
void remove_old_entries(const std::vector<std::filesystem::path>& wheels) {
    for (const std::filesystem::path& wheel : wheels) {
        inside(entry_path(wheel), [&] {
            std::error_code failure;
            if (std::filesystem::is_directory(entry_path(wheel), failure)) {
                throw unchecked("a folder is where the ledger entry has to be", "remove it");
            }
            std::filesystem::remove(entry_path(wheel), failure);
            if (failure) {
                throw unchecked(fmt::format("cannot remove the entry of an earlier run: {}", failure.message()),
                                "check that the folder can be written");
            }
        });
    }
}

}  // namespace

ExitCode assert_archs(const AssertOptions& options, Streams streams, Totals& totals) {
    const BuildRequest request = make_request(options);
    const auto wheels = expand_inputs(options.wheels, InputKind::wheels);
    refuse_overwriting(wheels, "--json", options.reading.json);
    FileReading reading(options.reading, streams);
    const std::vector<Judged> all = judge(wheels, request, false, reading, streams, totals);
    json::array results;
    if (!options.reading.json.empty()) {
        for (const Judged& judged : all) {
            results.push_back(verdict_json(judged.inventory, sha256_hex(judged.inventory.path), judged.verdict,
                                           request.build.facts.arch_list));
        }
    }
    const ExitCode code = exit_code(all, reading);
    totals.verdict = common_verdict(all, code);
    reading.finish(joined(std::move(results), wheels.size(), totals.verdict));
    return code;
}

ExitCode stamp(const StampOptions& options, Streams streams) {
    const Build build = read_build(options.build, options.arch_list);
    const auto wheels = expand_inputs(options.wheels, InputKind::wheels);
    refuse_overwriting(wheels, "--json", options.reading.json);
    const std::vector<FileLock> locks = lock_files(wheels);
    FileReading reading(options.reading, streams, false, true);
    const Stamper stamper(build, reading, canonical_list(build.facts.arch_list), nullptr);
    json::array results;
    bool refused = false;
    reading.each(wheels, [&](const Inventory& inventory) {
        std::vector<Finding> findings = check_identity(inventory, build.facts);
        findings.insert(findings.end(), build.findings.begin(), build.findings.end());
        json::object result = {
            {"file", valid_utf8(inventory.path.string())}, {"findings", findings_json(findings)}, {"stamped", nullptr}};
        reading.note(findings);
        if (reading.prints()) {
            print_findings(streams.out, findings);
        }
        if (fails(findings)) {
            refused = true;
        } else {
            Outcome outcome;
            stamper.stamp(inventory, outcome);
            result["stamped"] = stamped_json(*outcome.stamped);
            if (reading.prints()) {
                print_stamped(streams.out, inventory.file_name, *outcome.stamped);
            }
        }
        results.push_back(std::move(result));
    });
    reading.finish({{"schema", kSchema}, {"results", std::move(results)}});
    return reading.worst(refused ? ExitCode::findings : ExitCode::ok);
}

ExitCode gate(const GateOptions& options, Streams streams, Totals& totals) {
    const BuildRequest request = make_request(options.asserted);
    const std::string& arch_list = request.build.facts.arch_list;
    const auto wheels = expand_inputs(options.asserted.wheels, InputKind::wheels);
    if (!options.statement.empty() && wheels.size() != 1) {
        throw bad_usage(fmt::format("--statement is about one wheel, but there are {}", wheels.size()),
                        "run gate once for each wheel; or attest the entries, each of which is a predicate");
    }
    refuse_overwriting(wheels, "--json", options.asserted.reading.json);
    refuse_overwriting(wheels, "--statement", options.statement);
    const std::vector<FileLock> locks = lock_files(wheels);  // until the entries are written
    remove_old_entries(wheels);
    FileReading reading(options.asserted.reading, streams, false, true);
    const std::vector<Judged> all = judge(wheels, request, true, reading, streams, totals);
    std::vector<Outcome> outcomes(all.size());
    if (exit_code(all, reading) == ExitCode::ok) {
        const Stamper stamper(request.build, reading, canonical_list(arch_list), &request.requirement);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Inventory& inventory = all[i].inventory;
            reading.guard(inventory.path, [&] { publish(inventory, stamper, options, outcomes[i]); });
            if (reading.prints()) {
                print_outcome(streams.out, inventory, outcomes[i]);
            }
        }
    }
    const ExitCode code = exit_code(all, reading);
    json::array results;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (outcomes[i].written) {
            totals.entries.push_back(entry_path(all[i].inventory.path));
        }
        if (!options.asserted.reading.json.empty()) {
            results.push_back(gate_result(all[i], outcomes[i], code, arch_list));
        }
    }
    totals.verdict = common_verdict(all, code);
    reading.finish(joined(std::move(results), wheels.size(), totals.verdict));
    return code;
}

}  // namespace wheelarch
