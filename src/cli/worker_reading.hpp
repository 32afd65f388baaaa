// WorkerReading: what one thread of a sweep reads wheels with. Threads share the program that is asked, but not the
// folder in which it is shown files.
#pragma once

#include "cli/reading.hpp"
#include "wheel/inventory.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {

class WorkerReading {
public:
    WorkerReading(const ReadingOptions& options, const SecondWitness& witness);
    WorkerReading(const WorkerReading&) = delete;
    WorkerReading& operator=(const WorkerReading&) = delete;

    // With hash_members.
    const InventoryOptions& inventory() const noexcept { return inventory_; }

private:
    SecondWitness witness_;
    InventoryOptions inventory_;
};

}  // namespace wheelarch
