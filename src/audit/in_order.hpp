// Work on many items by several threads, with the results taken in the order of the items.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "audit/audit_result.hpp"

namespace wheelarch {

struct OrderedWork {
    std::size_t count = 0;
    unsigned threads = 0;  // 0: as many as there are cores
    // Called once in each thread, before its first item; what it returns is called in that thread only.
    std::function<std::function<AuditResult(std::size_t)>()> make_worker;
    // As soon as an item is done, in whatever order; one call at a time.
    std::function<void(std::size_t, const AuditResult&)> finished;
    // In the order of the items, in the calling thread.
    std::function<void(std::size_t, AuditResult)> take;
    // In the calling thread, from time to time while it waits.
    std::function<void(std::size_t done)> waiting;
    std::chrono::milliseconds wait_for{200};
};

// An exception in any of the functions ends the work, after the items at hand, and is thrown here.
void work_in_order(const OrderedWork& work);

}  // namespace wheelarch
