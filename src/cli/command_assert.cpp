#include "base/sha256.hpp"
#include "cli/command.hpp"
#include "cli/inputs.hpp"
#include "cli/judging.hpp"
#include "report/json.hpp"

namespace wheelarch {
namespace {

struct AssertOptions {
    Outputs outputs;
    ReadingOptions reading;
    RequestOptions request;
};

void declare(Arguments& arguments, AssertOptions& options) {
    add_request(arguments, options.request);
    add_reading(arguments, options.reading, options.outputs);
}

void from_action(ActionLine& line) {
    line.option("arch-list");
    line.row();
    line.option("witness");
    line.option("cuobjdump");
    line.wheels();
}

Outcome assert_archs(const AssertOptions& options, Listener& listener) {
    const BuildRequest request = make_request(options.request);
    const auto wheels = expand_inputs(options.request.wheels, InputKind::wheels);
    refuse_overwriting(wheels, options.outputs);
    FileReading reading(reading_for(options.request, options.reading), listener);
    const std::vector<Judged> all = judge(wheels, request, false, reading, listener);
    boost::json::array results;
    if (listener.wants_result()) {
        for (const Judged& judged : all) {
            results.push_back(verdict_json(judged.inventory, sha256_hex(judged.inventory.path), judged.verdict,
                                           request.build.facts.arch_list));
        }
    }
    return joined(all, reading, std::move(results), wheels.size());
}

}  // namespace

Command assert_command() {
    return {.name = "assert",
            .help = "Exit 0 only if a wheel's archs equal the requested ones",
            .example = "wheelarch assert --arch-list \"8.0;8.6;9.0+PTX\" dist/*.whl",
            .bind = bind(declare, assert_archs),
            .from_action = from_action};
}

}  // namespace wheelarch
