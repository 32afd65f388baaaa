// Entry: what the ledger holds of one wheel, as JSON. It is the wheel's `_build_info.json` with more keys: `wheel`
// (file name, hash and size), `recorded_at`, `history` (what it replaced, newest first) if it replaced anything, and
// `valid_for_epoch` if a plan carried it to later epochs. docs/build-info.schema.json and
// docs/ledger-entry.schema.json describe every key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "policy/epochs.hpp"

namespace wheelarch {

struct Entry {
    std::string package;    // the folder in the ledger
    std::string file_name;  // of the wheel
    boost::json::object json;
};

// Epochs are small numbers; one beyond this is a slip, and would make a wheel current for ever.
inline constexpr std::int64_t kMostEpoch = 1'000'000'000;

// A name that can be one part of a path in the ledger: letters, digits and `._+-!`, no dot or dash in front, at most
// 240 bytes.
bool is_ledger_name(std::string_view name);

// Where the ledger keeps it: `<package>/<wheel file>.json`.
std::string ledger_path(const Entry& entry);

// `text` is one entry; what is relied on is checked: the schema number, the names (each one part of a path, the wheel's
// a wheel file name), hash, size and times. Throws an Error (exit 3) that names the key.
Entry parse_entry(std::string_view text);

// As it is stored and compared: keys sorted, two spaces of indentation, UTF-8, LF, one LF at the end. Values that hold
// no object stand on one line.
std::string canonical_text(const boost::json::value& value);

// Do they record the same? When it was recorded, what it replaced and for which epoch it is still valid is no part of
// it.
bool same_record(const Entry& left, const Entry& right);

// What a build knew of the farm's epoch and the package's own.
struct BuiltAt {
    Epochs epochs;
    // Schema 1 had one number for both: `epochs.farm` has it. It was the package's own if the package had one.
    bool one_counter = false;

    // As it counts for a package that has, or has not, an epoch of its own today: the number of schema 1 is believed to
    // be the farm's only where the package has none. Rebuilt once rather than believed.
    Epochs as_of(bool package_has_own) const { return one_counter && package_has_own ? Epochs{} : epochs; }
};

// The latest epochs that the wheel is valid for: those of its build, or later ones to which a plan carried it.
BuiltAt valid_for(const Entry& entry);
Entry carried(Entry entry, const Epochs& epochs);

// What is refused of an entry that is to be recorded, though the ledger can be read with it: a key of other epochs than
// its own, archs that its members do not have. Throws an Error (exit 3) that names the key.
void check_consistent(const Entry& entry);

// `entry` with what it replaces at the front of its `history`.
Entry replacing(Entry entry, const Entry& old);

}  // namespace wheelarch
