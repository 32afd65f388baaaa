#include "base/file_lock.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/judging.hpp"
#include "cli/stamping.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct StampOptions {
    Outputs outputs;
    ReadingOptions reading;
    BuildOptions build;
    std::vector<std::string> wheels;
    std::string arch_list;
};

void declare(Arguments& arguments, StampOptions& options) {
    arguments.some("WHEEL", options.wheels, "wheels, or folders of wheels");
    arguments.text("--arch-list", options.arch_list, "LIST", "what was requested; it is recorded, not asserted");
    add_build(arguments, options.build);
    add_reading(arguments, options.reading, options.outputs);
}

// Stamps each wheel that says truly what it is.
Outcome stamp(const StampOptions& options, Listener& listener) {
    const Build build = read_build(options.build, options.arch_list);
    const auto wheels = expand_inputs(options.wheels, InputKind::wheels);
    refuse_overwriting(wheels, options.outputs);
    const std::vector<FileLock> locks = lock_files(wheels);
    FileReading reading(options.reading, listener, false, true);
    const Stamper stamper(build, reading, nullptr);
    json::array results;
    bool refused = false;
    reading.each(wheels, [&](const Inventory& inventory) {
        std::vector<Finding> findings = check_identity(inventory, build.facts);
        findings.insert(findings.end(), build.findings.begin(), build.findings.end());
        json::object result = {
            {"file", valid_utf8(inventory.path.string())}, {"findings", findings_json(findings)}, {"stamped", nullptr}};
        reading.note(findings);
        listener.text(findings_text(findings));
        if (fails(findings)) {
            refused = true;
        } else {
            StampedWheel done;
            stamper.stamp(inventory, done);
            result["stamped"] = stamped_json(*done.stamped);
            listener.text(stamped_text(inventory.file_name, *done.stamped));
        }
        results.push_back(std::move(result));
    });
    return reading.finish({{"schema", kSchema}, {"results", std::move(results)}},
                          refused ? ExitCode::findings : ExitCode::ok);
}

}  // namespace

Command stamp_command() {
    return {.name = "stamp",
            .help = "Write _build_info.json into a wheel, without a verdict on its archs",
            .example = "wheelarch stamp --cell row.json dist/*.whl",
            .bind = bind(declare, stamp)};
}

}  // namespace wheelarch
