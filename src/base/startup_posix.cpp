#include <csignal>
#include <cstdint>
#include <cstring>

#include <unistd.h>

#include "base/error.hpp"
#include "base/mapped_places.hpp"
#include "base/startup.hpp"

namespace wheelarch {
namespace {

void say_on_error(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void end_by_shrunk_file(int /*signal*/, siginfo_t* information, void* /*context*/) {
    const char* name = name_of_place(reinterpret_cast<std::uintptr_t>(information->si_addr));
    say_on_error("error: ");
    if (name != nullptr) {
        say_on_error(name);
        say_on_error(": ");
    }
    say_on_error("an input file became shorter, or its disk failed, while it was read\n");
    ::_exit(static_cast<int>(ExitCode::unchecked));
}

}  // namespace

void start_up() noexcept {
    struct sigaction action = {};
    action.sa_sigaction = end_by_shrunk_file;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace wheelarch
