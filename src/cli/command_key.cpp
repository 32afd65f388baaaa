#include <boost/json/parse.hpp>

#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/inputs.hpp"
#include "policy/key.hpp"
#include "report/json.hpp"
#include "report/plan.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct KeyOptions {
    Outputs outputs;
    std::string farm = ".";
    std::string cell;
    ExistingOptions existing;
    bool key_only = false;
};

void declare(Arguments& arguments, KeyOptions& options) {
    arguments.required_text("--cell", options.cell, "FILE",
                            "one row of the workflow's matrix as JSON; - is standard input");
    arguments.text("--farm", options.farm, "DIR", "the folder of the farm's policy");
    arguments.flag("--key-only", options.key_only, "do not ask whether the wheel exists");
    add_existing(arguments, options.existing, "ask gh");
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
}

void from_action(ActionLine& line) {
    line.option("existing");
    line.option("ledger-branch", "branch");
    line.required_row();
}

Cell read_cell(const std::string& path) {
    return inside("--cell " + input_name(path), [&] {
        boost::system::error_code failure;
        const json::value row = json::parse(read_text(path, kMostText), failure);
        if (failure || !row.is_object()) {
            throw bad_usage("it is no JSON object", "give one row of the workflow's matrix as it is");
        }
        return parse_cell(row.as_object());
    });
}

Outcome key(const KeyOptions& options, Listener& listener) {
    refuse_two_readers({{"--cell", options.cell}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.farm);
    const Cell cell = read_cell(options.cell);
    const Package& package = find_package(farm, cell.package);
    const ExistsKey exists = exists_key(farm, package, cell);
    Outcome outcome;
    Existing existing;
    if (!options.key_only) {
        Asked asked;
        asked.add(farm, package);
        existing = exists_check(options.farm, options.existing, asked, listener).check(farm, package, cell);
        outcome.outputs["exists"] = existing.exists ? "true" : "false";
    }
    outcome.outputs["exists-key"] = exists.text;
    const Existing* known = options.key_only ? nullptr : &existing;
    const auto current = static_cast<std::uint64_t>(epoch(farm, package));
    outcome.text = key_text(exists, known, current);
    outcome.result = key_json(exists, known, current);
    return outcome;
}

}  // namespace

Command key_command() {
    return {.name = "key",
            .help = "The exists-check key of a cell, and whether its wheel exists",
            .example = "wheelarch key --cell row.json --existing assets.json",
            .bind = bind(declare, key),
            .from_action = from_action};
}

}  // namespace wheelarch
