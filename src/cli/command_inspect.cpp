#include "base/sha256.hpp"
#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/reading.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

struct InspectOptions {
    Outputs outputs;
    ReadingOptions reading;
    std::vector<std::string> files;
    bool images = false;
};

void declare(Arguments& arguments, InspectOptions& options) {
    arguments.some("FILE", options.files, "wheel, .so, .pyd, .dll, .a, .o, .fatbin, .cubin, .ptx, or a folder");
    arguments.flag("--images", options.images, "list every image; opens all of them");
    add_reading(arguments, options.reading, options.outputs);
}

Outcome inspect(const InspectOptions& options, Listener& listener) {
    const auto files = expand_inputs(options.files, InputKind::any);
    refuse_overwriting(files, options.outputs);
    FileReading reading(options.reading, listener, options.images);
    boost::json::array results;
    reading.each(files, [&](const Inventory& inventory) {
        listener.text(inventory_text(inventory, options.images));
        if (listener.wants_result()) {
            results.push_back(inventory_json(inventory, sha256_hex(inventory.path), options.images));
        }
    });
    return reading.finish(inspect_json(std::move(results)), ExitCode::ok);
}

}  // namespace

Command inspect_command() {
    return {.name = "inspect",
            .help = "What device code is in a file, a wheel or a folder of them",
            .example = "wheelarch inspect --json report.json dist/*.whl",
            .bind = bind(declare, inspect)};
}

}  // namespace wheelarch
