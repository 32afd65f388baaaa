#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "policy/arch_list.hpp"
#include "policy/coverage.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

struct CoverageOptions {
    Outputs outputs;
    ReadingOptions reading;
    std::string wheel;
    std::string arch_list;
    std::vector<std::string> gpus;
};

void declare(Arguments& arguments, CoverageOptions& options) {
    arguments.one("WHEEL", options.wheel, "a wheel or another file with device code");
    arguments.text("--arch-list", options.arch_list, "LIST", "judge a list instead of a file");
    arguments.texts("--gpu", options.gpus, "GPU",
                    "only this GPU, by capability or name (9.0, H100); can be repeated. One that "
                    "cannot run it is exit 1");
    add_reading(arguments, options.reading, options.outputs);
}

Outcome coverage(const CoverageOptions& options, Listener& listener) {
    if (options.wheel.empty() == options.arch_list.empty()) {
        throw bad_usage("coverage needs a WHEEL or an --arch-list, one of the two",
                        "for example wheelarch coverage --arch-list \"8.0;9.0+PTX\"");
    }
    std::vector<Gpu> gpus;
    std::transform(options.gpus.begin(), options.gpus.end(), std::back_inserter(gpus), find_gpu);
    FileReading reading(options.reading, listener);
    ArchSet archs;
    if (!options.arch_list.empty()) {
        const ArchList list = parse_arch_list(options.arch_list, "--arch-list");
        listener.note(findings_text(list.findings));
        archs = list.archs;
    } else {
        reading.each({options.wheel}, [&](const Inventory& inventory) { archs = observed(inventory); });
        if (reading.worst(ExitCode::ok) != ExitCode::ok) {
            return reading.finish(coverage_json(archs, options.wheel, {}), ExitCode::ok);
        }
    }
    std::vector<Coverage> lines;
    for (const Gpu& gpu : gpus.empty() ? known_gpus() : gpus) {
        lines.push_back(cover(archs, gpu));
    }
    const bool all_run =
        std::none_of(lines.begin(), lines.end(), [](const Coverage& line) { return line.reach == Reach::none; });
    const std::string source = options.wheel.empty() ? options.arch_list : options.wheel;
    Outcome outcome = reading.finish(coverage_json(archs, source, lines),
                                     gpus.empty() || all_run ? ExitCode::ok : ExitCode::findings);
    outcome.text = printable(source) + "  " + to_text(archs) + '\n' + coverage_text(lines);
    return outcome;
}

}  // namespace

Command coverage_command() {
    return {.name = "coverage",
            .help = "Which GPUs run it natively, by JIT, or not at all",
            .example = "wheelarch coverage --gpu 12.0 dist/pkg-1.0-cp312-cp312-linux_x86_64.whl",
            .bind = bind(declare, coverage)};
}

}  // namespace wheelarch
