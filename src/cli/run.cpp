#include "cli/run.hpp"

#include <exception>
#include <new>

#include "cli/action.hpp"
#include "cli/parse.hpp"
#include "report/deliver.hpp"

namespace wheelarch {
namespace {

ExitCode run_command(const std::vector<std::string>& arguments, Delivery& delivery) {
    const Invocation asked = parse(arguments);
    if (!asked.answer.empty()) {
        delivery.text(asked.answer);
        return ExitCode::ok;
    }
    if (!asked.command.run) {
        return run_action(delivery, [&](const std::vector<std::string>& line) { return run_command(line, delivery); });
    }
    delivery.start(*asked.command.outputs);
    const Outcome outcome = asked.command.run(delivery);
    delivery.deliver(outcome);
    return outcome.code;
}

}  // namespace

ExitCode run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
    Delivery delivery(out, err);
    try {
        const ExitCode code = run_command(arguments, delivery);
        delivery.flush();
        return code;
    } catch (const Error& error) {
        delivery.fail(error);
        return error.code();
    } catch (const std::bad_alloc&) {
        delivery.fail(
            unchecked("out of memory", "the input is damaged or made to exhaust memory; report it if it is neither"));
    } catch (const std::exception& error) {
        delivery.fail(unchecked(error.what(), "this is not expected: report it"));
    }
    return ExitCode::unchecked;
}

}  // namespace wheelarch
