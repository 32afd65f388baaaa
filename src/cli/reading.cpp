#include "cli/reading.hpp"

#include <chrono>
#include <utility>

#include "base/text.hpp"
#include "report/github.hpp"
#include "report/json.hpp"

namespace wheelarch {

void add_reading(Arguments& arguments, ReadingOptions& options, Outputs& outputs) {
    arguments.text(
        "--witness", options.witness, "MODE",
        "who reads: native (our reader), cuobjdump, both, or auto: both where cuobjdump is there and new enough");
    arguments.text("--cuobjdump", options.cuobjdump, "PATH", "the cuobjdump to ask, if not the one that is found");
    arguments.number("--cuobjdump-timeout", options.cuobjdump_timeout, 86400U, "SECONDS",
                     "how long it may take for one file, in seconds");
    arguments.texts("--exclude", options.exclude, "GLOB", "members that are not judged: a pattern, can be repeated");
    arguments.texts("--include", options.include, "GLOB",
                    "members that are ours though they look vendored: a pattern, can be repeated");
    arguments.flag("--search", options.search,
                   "also search the data of libraries for device code, as is always done in wheels");
    arguments.output(outputs, json_format(), "write the whole result as JSON; - is standard output");
}

SecondWitness make_witness(const ReadingOptions& options) {
    return {parse_witness_mode(options.witness), options.cuobjdump, std::chrono::seconds(options.cuobjdump_timeout)};
}

InventoryOptions inventory_options(const ReadingOptions& options, SecondWitness& witness) {
    InventoryOptions wanted;
    wanted.exclude = options.exclude;
    wanted.include = options.include;
    wanted.search = options.search;
    wanted.second_witness = [&witness](const MemberSource& source, const DeviceCode& code, Member& member) {
        witness.ask(source, code, member);
    };
    return wanted;
}

FileReading::FileReading(const ReadingOptions& options, Listener& listener, bool keep_images, bool hash_members)
    : listener_(listener), witness_(make_witness(options)), inventory_options_(inventory_options(options, witness_)) {
    inventory_options_.keep_images = keep_images;
    inventory_options_.hash_members = hash_members;
}

void FileReading::each(const std::vector<std::filesystem::path>& files, const std::function<void(Inventory&)>& report) {
    for (const std::filesystem::path& file : files) {
        guard(file, [&] {
            Inventory inventory = take_inventory(file, inventory_options_);
            inventory.findings.insert(inventory.findings.end(), witness_.findings().begin(), witness_.findings().end());
            report(inventory);
        });
    }
}

void FileReading::guard(const std::filesystem::path& file, const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& error) {
        listener_.failed(error);
        to_annotate_.push_back(as_finding(error));
        errors_.push_back({{"file", valid_utf8(file.string())},
                           {"message", valid_utf8(error.what())},
                           {"fix", valid_utf8(error.fix())}});
        worst_ = std::max(worst_, error.code());
    }
}

void FileReading::note(const std::vector<Finding>& findings) {
    to_annotate_.insert(to_annotate_.end(), findings.begin(), findings.end());
}

Outcome FileReading::finish(boost::json::object result, ExitCode code) const {
    result["errors"] = errors_;
    result["cuobjdump"] = cuobjdump_json(witness_.cuobjdump());
    Outcome outcome;
    outcome.code = worst(code);
    outcome.result = std::move(result);
    outcome.findings = located(to_annotate_);
    return outcome;
}

}  // namespace wheelarch
