#include "cli/commands.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <ostream>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "cli/action.hpp"
#include "cli/audit_command.hpp"
#include "cli/backfill.hpp"
#include "cli/farm_commands.hpp"
#include "cli/gate.hpp"
#include "cli/inputs.hpp"
#include "cli/ledger_commands.hpp"
#include "cli/lint_command.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "policy/arch_list.hpp"
#include "policy/coverage.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

ExitCode inspect(const InspectOptions& options, Streams streams) {
    const auto files = expand_inputs(options.files, InputKind::any);
    refuse_overwriting(files, "--json", options.reading.json);
    FileReading reading(options.reading, streams, options.images);
    json::array results;
    reading.each(files, [&](const Inventory& inventory) {
        if (options.reading.json != "-") {
            print_inventory(streams.out, inventory, options.images);
        }
        if (!options.reading.json.empty()) {
            results.push_back(inventory_json(inventory, sha256_hex(inventory.path), options.images));
        }
    });
    reading.finish(inspect_json(std::move(results)));
    return reading.worst(ExitCode::ok);
}

void explain_not_asserted(std::ostream& out, const std::vector<Coverage>& lines) {
    const auto unsure = std::find_if(lines.begin(), lines.end(),
                                     [](const Coverage& line) { return line.reach == Reach::not_asserted; });
    if (unsure != lines.end()) {
        out << fmt::format(
            "not-asserted: between embedded (Jetson) devices and others of one major version, reports "
            "disagree on what runs.\n    fix: add {} to the arch list, or try the wheel on the device\n",
            torch_name(unsure->gpu.capability));
    }
}

ExitCode coverage(const CoverageOptions& options, Streams streams) {
    if (options.wheel.empty() == options.arch_list.empty()) {
        throw bad_usage("coverage needs a WHEEL or an --arch-list, one of the two",
                        "for example wheelarch coverage --arch-list \"8.0;9.0+PTX\"");
    }
    std::vector<Gpu> gpus;
    std::transform(options.gpus.begin(), options.gpus.end(), std::back_inserter(gpus), find_gpu);
    FileReading reading(options.reading, streams);
    ArchSet archs;
    if (!options.arch_list.empty()) {
        const ArchList list = parse_arch_list(options.arch_list, "--arch-list");
        print_findings(streams.err, list.findings);
        archs = list.archs;
    } else {
        reading.each({options.wheel}, [&](const Inventory& inventory) { archs = observed(inventory); });
        if (reading.worst(ExitCode::ok) != ExitCode::ok) {
            reading.finish(coverage_json(archs, options.wheel, {}));
            return reading.worst(ExitCode::ok);
        }
    }
    std::vector<Coverage> lines;
    for (const Gpu& gpu : gpus.empty() ? known_gpus() : gpus) {
        lines.push_back(cover(archs, gpu));
    }
    const std::string source = options.wheel.empty() ? options.arch_list : options.wheel;
    if (options.reading.json != "-") {
        streams.out << printable(source) << "  " << to_text(archs) << '\n';
        print_coverage(streams.out, lines);
        if (!gpus.empty()) {
            explain_not_asserted(streams.out, lines);
        }
    }
    reading.finish(coverage_json(archs, source, lines));
    const auto any = [&](Reach reach) {
        return std::any_of(lines.begin(), lines.end(), [&](const Coverage& line) { return line.reach == reach; });
    };
    if (gpus.empty()) {
        return ExitCode::ok;
    }
    // A script that asks for a device must not go on without an answer.
    return any(Reach::not_asserted) ? ExitCode::unchecked : any(Reach::none) ? ExitCode::findings : ExitCode::ok;
}

ExitCode dispatch(const std::vector<std::string>& arguments, Streams streams, Totals& totals) {
    const Options options = parse_options(arguments, streams.out);
    if (options.inspect) {
        return inspect(*options.inspect, streams);
    }
    if (options.asserted) {
        return assert_archs(*options.asserted, streams, totals);
    }
    if (options.gate) {
        return gate(*options.gate, streams, totals);
    }
    if (options.stamp) {
        return stamp(*options.stamp, streams);
    }
    if (options.record) {
        return record_entries(*options.record, streams, totals);
    }
    if (options.backfill) {
        return backfill(*options.backfill, streams, totals);
    }
    if (options.show) {
        return show_entry(*options.show, streams);
    }
    if (options.list) {
        return list_entries(*options.list, streams);
    }
    if (options.retire) {
        return retire_entries(*options.retire, streams);
    }
    if (options.init) {
        return init_ledger(*options.init, streams);
    }
    if (options.key) {
        return key(*options.key, streams, totals);
    }
    if (options.matrix) {
        return matrix(*options.matrix, streams, totals);
    }
    if (options.plan) {
        return plan(*options.plan, streams, totals);
    }
    if (options.lint) {
        return lint(*options.lint, streams, totals);
    }
    if (options.audit) {
        return audit(*options.audit, streams, totals);
    }
    if (options.coverage) {
        return coverage(*options.coverage, streams);
    }
    if (options.action) {
        return run_action(streams.out, streams.err, [&](const std::vector<std::string>& command, Totals& of_action) {
            return dispatch(command, streams, of_action);
        });
    }
    return ExitCode::ok;
}

}  // namespace

ExitCode run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
    const Streams streams = {out, err};
    try {
        Totals totals;
        const ExitCode code = dispatch(arguments, streams, totals);
        out.flush();
        if (!out) {
            throw unchecked("cannot write to standard output");
        }
        return code;
    } catch (const Error& error) {
        report_error(error, streams);
        return error.code();
    } catch (const std::bad_alloc&) {
        report_error(
            unchecked("out of memory", "the input is damaged or made to exhaust memory; report it if it is neither"),
            streams);
    } catch (const std::exception& error) {
        report_error(unchecked(error.what(), "this is not expected: report it"), streams);
    }
    return ExitCode::unchecked;
}

}  // namespace wheelarch
