#include "cli/worker_reading.hpp"

namespace wheelarch {

WorkerReading::WorkerReading(const ReadingOptions& options, const SecondWitness& witness)
    : witness_(witness.another()), inventory_(inventory_options(options, witness_)) {
    inventory_.hash_members = true;
}

}  // namespace wheelarch
