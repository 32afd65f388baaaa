// FileReading: goes through the files of one command, one after the other. One that cannot be read does not keep the
// rest from being reported.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/error.hpp"
#include "cli/options.hpp"
#include "wheel/inventory.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {

// Results go to `out`. Errors and annotations go to `err`: a runner reads both, and `out` may be JSON.
struct Streams {
    std::ostream& out;
    std::ostream& err;
};

// To the error stream and, in a workflow, as an annotation and into the job summary.
void report_error(const Error& error, Streams streams);

// The same for findings that are about no one file.
void say(const std::vector<Finding>& findings, Streams streams);

// What the options ask for: who reads, and how. `witness` is asked for as long as the inventory options are used.
SecondWitness make_witness(const ReadingOptions& options);
InventoryOptions inventory_options(const ReadingOptions& options, SecondWitness& witness);

class FileReading {
public:
    FileReading(const ReadingOptions& options, Streams streams, bool keep_images = false, bool hash_members = false);

    // Takes the inventory of each file and hands it on. An Error, in reading or in `report`, is reported and kept.
    void each(const std::vector<std::filesystem::path>& files, const std::function<void(Inventory&)>& report);

    // Does what is still to be done with a file; an Error is reported and kept as in `each`.
    void guard(const std::filesystem::path& file, const std::function<void()>& body);
    // To be annotated at the end.
    void note(const std::vector<Finding>& findings);
    // False if standard output is for the JSON result.
    bool prints() const { return options_.json != "-"; }
    // Annotates all at once, since the runner's limits are per step, and writes the result, with the errors and the
    // cuobjdump in it, to where --json says.
    void finish(boost::json::object result) const;

    // The program that was asked, if any.
    const std::optional<Cuobjdump>& cuobjdump() const { return witness_.cuobjdump(); }
    ExitCode worst(ExitCode code) const { return std::max(code, worst_); }

private:
    void note(const Error& error, const std::filesystem::path& file);

    const ReadingOptions& options_;
    Streams streams_;
    SecondWitness witness_;
    InventoryOptions inventory_options_;
    boost::json::array errors_;
    std::vector<Finding> to_annotate_;
    ExitCode worst_ = ExitCode::ok;
};

}  // namespace wheelarch
