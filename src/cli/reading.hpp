// FileReading: goes through the files of one command, one after the other. One that cannot be read does not keep the
// rest from being reported.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "report/outcome.hpp"
#include "wheel/inventory.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {

// Options of every command that reads binaries.
struct ReadingOptions {
    std::vector<std::string> exclude;
    std::vector<std::string> include;
    bool search = false;  // the data of files that are no wheels too
    std::string witness = "auto";
    std::string cuobjdump;
    unsigned cuobjdump_timeout = 600;  // seconds, for one file
};

// And --json.
void add_reading(Arguments& arguments, ReadingOptions& options, Outputs& outputs);

// What the options ask for: who reads, and how. `witness` is asked for as long as the inventory options are used.
SecondWitness make_witness(const ReadingOptions& options);
InventoryOptions inventory_options(const ReadingOptions& options, SecondWitness& witness);

class FileReading {
public:
    FileReading(const ReadingOptions& options, Listener& listener, bool keep_images = false, bool hash_members = false);

    // Takes the inventory of each file and hands it on. An Error, in reading or in `report`, is reported and kept.
    void each(const std::vector<std::filesystem::path>& files, const std::function<void(Inventory&)>& report);

    // Does what is still to be done with a file; an Error is reported and kept as in `each`.
    void guard(const std::filesystem::path& file, const std::function<void()>& body);
    // To be annotated at the end, since the runner's limits are per step.
    void note(const std::vector<Finding>& findings);
    // What it came to: `result` with the errors and the cuobjdump in it.
    Outcome finish(boost::json::object result, ExitCode code) const;

    // The program that was asked, if any.
    const std::optional<Cuobjdump>& cuobjdump() const { return witness_.cuobjdump(); }
    ExitCode worst(ExitCode code) const { return std::max(code, worst_); }

private:
    Listener& listener_;
    SecondWitness witness_;
    InventoryOptions inventory_options_;
    boost::json::array errors_;
    std::vector<Finding> to_annotate_;
    ExitCode worst_ = ExitCode::ok;
};

}  // namespace wheelarch
