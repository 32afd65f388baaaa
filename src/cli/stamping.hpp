// The part that stamp and gate have in common: the stamp of a wheel, and its ledger entry.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "cli/reading.hpp"
#include "cli/request.hpp"
#include "ledger/entry.hpp"
#include "policy/arch_check.hpp"
#include "wheel/inventory.hpp"
#include "wheel/stamp.hpp"

namespace wheelarch {

// What was done to one wheel after it was judged.
struct StampedWheel {
    std::optional<Stamped> stamped;
    std::optional<Entry> entry;
    bool written = false;  // the entry, and the statement if there is to be one
};

// Stamps the wheels of one build.
class Stamper {
public:
    // `held_to`: what the wheels have passed; null if nothing was asserted.
    Stamper(const Build& build, const FileReading& reading, const Requirement* held_to);

    // Fills in `done` as far as it gets before an Error.
    void stamp(const Inventory& inventory, StampedWheel& done) const;

private:
    const Build& build_;
    const FileReading& reading_;
    std::string arch_list_;
    boost::json::object run_;
    boost::json::value expected_;
};

boost::json::object stamped_json(const Stamped& stamped);

}  // namespace wheelarch
