#include "cli/worker_reading.hpp"

namespace wheelarch {

WorkerReading::WorkerReading(const ReadingOptions& options, const SecondWitness& witness)
    : witness_(witness.another()) {
    inventory_.exclude = options.exclude;
    inventory_.include = options.include;
    inventory_.hash_members = true;
    inventory_.second_witness = [this](const MemberSource& source, const DeviceCode& code, Member& member) {
        witness_.ask(source, code, member);
    };
}

}  // namespace wheelarch
