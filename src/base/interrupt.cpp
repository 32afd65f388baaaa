#include "base/interrupt.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

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

class Undoing {
public:
    Undoing() {
        std::array<int, 2> ends = {};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return;  // it ends then as it did before there was this
        }
        sender() = ends[1];
        std::thread([this, from = ends[0]] { wait(from); }).detach();
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

    std::list<std::function<void()>>::iterator add(std::function<void()> undo) {
        const std::lock_guard lock(mutex_);
        return list_.insert(list_.begin(), std::move(undo));
    }
    void remove(std::list<std::function<void()>>::iterator place) {
        const std::lock_guard lock(mutex_);
        list_.erase(place);
    }

private:
    // With the lock to the end: nothing new begins meanwhile.
    void wait(int from) {
        unsigned char signal = 0;
        ssize_t count = 0;
        do {
            count = ::read(from, &signal, 1);
        } while (count < 0 && errno == EINTR);
        if (count != 1) {
            return;
        }
        const std::lock_guard lock(mutex_);
        for (const std::function<void()>& undo : list_) {
            undo();
        }
        std::signal(signal, SIG_DFL);
        ::kill(::getpid(), signal);
        for (;;) {
            ::pause();
        }
    }

    std::mutex mutex_;
    std::list<std::function<void()>> list_;
};

// Never destroyed: the thread may still wait when the program ends.
Undoing& undoing() {
    static auto* const one = new Undoing;
    return *one;
}

}  // namespace

OnInterrupt::OnInterrupt(std::function<void()> undo) : place_(undoing().add(std::move(undo))) {}

OnInterrupt::~OnInterrupt() {
    undoing().remove(place_);
}

}  // namespace wheelarch
