#include "base/interrupt.hpp"

#include <mutex>
#include <utility>

#include "base/interrupt_watch.hpp"

namespace wheelarch {
namespace {

struct Undoing {
    Undoing();
    std::mutex mutex;
    std::list<std::function<void()>> list;
};

// Never destroyed: the thread that undoes may still wait when the program ends.
Undoing& undoing() {
    static auto* const one = new Undoing;
    return *one;
}

Undoing::Undoing() {
    watch_interrupts([] {
        undoing().mutex.lock();
        for (const std::function<void()>& undo : undoing().list) {
            undo();
        }
    });
}

}  // namespace

OnInterrupt::OnInterrupt(std::function<void()> undo) {
    const std::lock_guard lock(undoing().mutex);
    place_ = undoing().list.insert(undoing().list.begin(), std::move(undo));
}

OnInterrupt::~OnInterrupt() {
    const std::lock_guard lock(undoing().mutex);
    undoing().list.erase(place_);
}

}  // namespace wheelarch
