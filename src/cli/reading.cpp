#include "cli/reading.hpp"

#include <chrono>
#include <utility>

#include "base/text.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace wheelarch {

void report_error(const Error& error, Streams streams) {
    print_error(streams.err, error);
    if (on_github()) {
        annotate(streams.err, {as_finding(error)});
        try {
            add_to_summary(error_summary(error));
        } catch (const Error& second) {  // the first one is what matters, and has been said
            print_error(streams.err, second);
        }
    }
}

void say(const std::vector<Finding>& findings, Streams streams) {
    print_findings(streams.err, findings);
    if (on_github()) {
        annotate(streams.err, findings);
    }
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

FileReading::FileReading(const ReadingOptions& options, Streams streams, bool keep_images, bool hash_members)
    : options_(options),
      streams_(streams),
      witness_(make_witness(options)),
      inventory_options_(inventory_options(options, witness_)) {
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
        note(error, file);
    }
}

void FileReading::note(const std::vector<Finding>& findings) {
    to_annotate_.insert(to_annotate_.end(), findings.begin(), findings.end());
}

void FileReading::note(const Error& error, const std::filesystem::path& file) {
    print_error(streams_.err, error);
    to_annotate_.push_back(as_finding(error));
    if (on_github()) {
        add_to_summary(error_summary(error));
    }
    errors_.push_back(
        {{"file", valid_utf8(file.string())}, {"message", valid_utf8(error.what())}, {"fix", valid_utf8(error.fix())}});
    worst_ = std::max(worst_, error.code());
}

void FileReading::finish(boost::json::object result) const {
    if (on_github()) {
        annotate(streams_.err, to_annotate_);
    }
    if (!options_.json.empty()) {
        result["errors"] = errors_;
        result["cuobjdump"] = cuobjdump_json(witness_.cuobjdump());
        write_json(options_.json, result);
    }
}

}  // namespace wheelarch
