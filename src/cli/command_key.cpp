#include <optional>

#include <boost/json/parse.hpp>

#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/inputs.hpp"
#include "plan/selection.hpp"
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

struct AskedCell {
    Cell cell;
    std::string source_tag;  // empty if the row has none
};

AskedCell read_cell(const std::string& path) {
    return inside("--cell " + input_name(path), [&] {
        boost::system::error_code failure;
        const json::value row = json::parse(read_text(path, kMostText), failure);
        if (failure || !row.is_object()) {
            throw bad_usage("it is no JSON object", "give one row of the workflow's matrix as it is");
        }
        const json::value* tag = row.as_object().if_contains("source_tag");
        return AskedCell{parse_cell(row.as_object()),
                         tag != nullptr && tag->is_string() ? std::string(tag->get_string()) : std::string()};
    });
}

Outcome key(const KeyOptions& options, Listener& listener) {
    refuse_two_readers({{"--cell", options.cell}, {"--existing", options.existing.existing}});
    const Farm farm = read_farm(options.farm);
    const auto [cell, source_tag] = read_cell(options.cell);
    const Package& package = find_package(farm, cell.package);
    const ExistsKey exists = exists_key(farm, package, cell);
    Outcome outcome;
    std::optional<Standing> standing;
    KnownWheels wheels;  // the standing points into it
    if (!options.key_only) {
        wheels = known_wheels(farm, options.existing, {package.name}, listener);
        WheelJudge judge(farm, wheels.recorded, &wheels.assets, standing_options(options.existing));
        standing = judge.judge(package, cell, source_tag, "");
        if (standing->state == CellState::replaced && !standing->young && !standing->rebuild) {
            listener.say(replaced_warning({standing->wheel}));
        }
        outcome.outputs["exists"] = standing->exists() ? "true" : "false";
    }
    outcome.outputs["exists-key"] = exists.text;
    const Epochs today = epochs(farm, package);
    outcome.text = key_text(exists, standing ? &*standing : nullptr, today, source_tag);
    outcome.result = key_json(exists, standing ? &*standing : nullptr, today);
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
