#include <algorithm>
#include <iterator>

#include <fmt/format.h>

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

// A script that asks for a device must not go on without an answer.
ExitCode exit_code(const std::vector<Coverage>& lines) {
    const auto any = [&](Reach reach) {
        return std::any_of(lines.begin(), lines.end(), [&](const Coverage& line) { return line.reach == reach; });
    };
    return any(Reach::not_asserted) ? ExitCode::unchecked : any(Reach::none) ? ExitCode::findings : ExitCode::ok;
}

std::string not_asserted_text(const std::vector<Coverage>& lines) {
    const auto unsure = std::find_if(lines.begin(), lines.end(),
                                     [](const Coverage& line) { return line.reach == Reach::not_asserted; });
    return unsure == lines.end()
               ? ""
               : fmt::format(
                     "not-asserted: between embedded (Jetson) devices and others of one major version, reports "
                     "disagree on what runs.\n    fix: add {} to the arch list, or try the wheel on the device\n",
                     torch_name(unsure->gpu.capability));
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
    const std::string source = options.wheel.empty() ? options.arch_list : options.wheel;
    Outcome outcome =
        reading.finish(coverage_json(archs, source, lines), gpus.empty() ? ExitCode::ok : exit_code(lines));
    outcome.text = printable(source) + "  " + to_text(archs) + '\n' + coverage_text(lines) +
                   (gpus.empty() ? "" : not_asserted_text(lines));
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
