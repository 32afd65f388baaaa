#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file_lock.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/judging.hpp"
#include "cli/stamping.hpp"
#include "ledger/build_info.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/names.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct GateOptions {
    Outputs outputs;
    ReadingOptions reading;
    RequestOptions request;
    std::string statement;  // a path, or empty
};

void declare(Arguments& arguments, GateOptions& options) {
    add_request(arguments, options.request);
    add_reading(arguments, options.reading, options.outputs);
    arguments.text("--statement", options.statement, "FILE",
                   "write an in-toto statement about the wheel (one wheel only), to be attested");
}

void from_action(ActionLine& line) {
    line.option("arch-list");
    line.row();
    line.option("witness");
    line.option("cuobjdump");
    line.wheels();
}

// The second half of gate: what is written of a wheel that holds.
void publish(const Inventory& inventory, const Stamper& stamper, const GateOptions& options, StampedWheel& done) {
    stamper.stamp(inventory, done);
    write_file(entry_path(inventory.path), canonical_text(done.entry->json));
    if (!options.statement.empty()) {
        write_file(options.statement, canonical_text(make_statement(*done.entry)));
    }
    done.written = true;
}

json::object gate_result(const Judged& judged, const StampedWheel& done, ExitCode code, const std::string& arch_list) {
    const Inventory& inventory = judged.inventory;
    const std::string sha256 = done.stamped ? done.stamped->sha256 : sha256_hex(inventory.path);
    json::object result = verdict_json(inventory, sha256, judged.verdict, arch_list);
    if (done.stamped) {
        result["size"] = done.stamped->size;
        result["verdict"] = done.written ? verdict_name(judged.verdict) : verdict_name(code);
    }
    result["stamped"] = done.stamped ? json::value(stamped_json(*done.stamped)) : json::value();
    result["entry"] = done.written ? json::value(valid_utf8(entry_path(inventory.path))) : json::value();
    return result;
}

std::string done_text(const Inventory& inventory, const StampedWheel& done) {
    return (done.stamped ? stamped_text(inventory.file_name, *done.stamped) : "") +
           (done.written ? entry_written_text(entry_path(inventory.path)) : "");
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

// First asserts all wheels, each of which must also say truly what it is. Only if all hold are they stamped, one after
// the other, and each gets its ledger entry. A wheel that was stamped by the same run before is left as it is.
Outcome gate(const GateOptions& options, Listener& listener) {
    const BuildRequest request = make_request(options.request);
    const auto wheels = expand_inputs(options.request.wheels, InputKind::wheels);
    if (!options.statement.empty() && wheels.size() != 1) {
        throw bad_usage(fmt::format("--statement is about one wheel, but there are {}", wheels.size()),
                        "run gate once for each wheel; or attest the entries, each of which is a predicate");
    }
    refuse_overwriting(wheels, options.outputs);
    refuse_overwriting(wheels, "--statement", options.statement);
    const std::vector<FileLock> locks = lock_files(wheels);  // until the entries are written
    remove_old_entries(wheels);
    FileReading reading(reading_for(options.request, options.reading), listener, false, true);
    const std::vector<Judged> all = judge(wheels, request, true, reading, listener);
    std::vector<StampedWheel> done(all.size());
    if (exit_code(all, reading) == ExitCode::ok) {
        const Stamper stamper(request.build, reading, &request.requirement);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Inventory& inventory = all[i].inventory;
            reading.guard(inventory.path, [&] { publish(inventory, stamper, options, done[i]); });
            listener.text(done_text(inventory, done[i]));
        }
    }
    const ExitCode code = exit_code(all, reading);
    json::array results;
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (done[i].written) {
            entries.push_back(entry_path(all[i].inventory.path));
        }
        if (listener.wants_result()) {
            results.push_back(gate_result(all[i], done[i], code, request.build.facts.arch_list));
        }
    }
    Outcome outcome = joined(all, reading, std::move(results), wheels.size());
    outcome.outputs["entries"] = fmt::format("{}", fmt::join(entries, "\n"));
    return outcome;
}

}  // namespace

Command gate_command() {
    return {.name = "gate",
            .help = "Before the upload: assert, then stamp, then write WHEEL.ledger.json beside the wheel",
            .example = "wheelarch gate --cell row.json dist/*.whl",
            .bind = bind(declare, gate),
            .from_action = from_action};
}

}  // namespace wheelarch
