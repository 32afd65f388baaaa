#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "base/interrupt_watch.hpp"

namespace wheelarch {
namespace {

constexpr std::array<int, 3> kEnding = {SIGINT, SIGTERM, SIGHUP};

// A handler may do next to nothing, so it only hands the signal to a thread that waits for it.
int& sender() {
    static int end = -1;
    return end;
}

void hand_on(int signal) {
    const int before = errno;
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto written = ::write(sender(), &number, 1);
    errno = before;
}

void wait(int from, void (*undo)()) {
    unsigned char signal = 0;
    ssize_t count = 0;
    do {
        count = ::read(from, &signal, 1);
    } while (count < 0 && errno == EINTR);
    if (count != 1) {
        return;
    }
    undo();
    std::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
    for (;;) {
        ::pause();
    }
}

}  // namespace

void watch_interrupts(void (*undo)()) {
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return;  // it ends then as it did before there was this
    }
    sender() = ends[1];
    std::thread(wait, ends[0], undo).detach();
    for (const int signal : kEnding) {
        struct sigaction before = {};
        struct sigaction action = {};
        action.sa_handler = hand_on;
        action.sa_flags = SA_RESTART;
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

}  // namespace wheelarch
