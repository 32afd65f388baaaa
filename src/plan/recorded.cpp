#include "plan/recorded.hpp"

#include <utility>

#include "base/error.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

std::string text_at(const Entry& entry, std::string_view key) {
    const boost::json::value* value = entry.json.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

}  // namespace

RecordedWheel recorded_wheel(const Entry& entry) {
    RecordedWheel wheel;
    wheel.package = entry.package;
    wheel.file_name = entry.file_name;
    wheel.arch_list = text_at(entry, "arch_list");
    wheel.recorded_at = text_at(entry, "recorded_at");
    wheel.inferred = text_at(entry, "provenance") == "inferred";
    wheel.epoch = valid_for_epoch(entry);
    return wheel;
}

void Recorded::add(RecordedWheel wheel) {
    by_name_[canonical_name(parse_wheel_name(wheel.file_name))] = wheels_.size();
    wheels_.push_back(std::move(wheel));
}

const RecordedWheel* Recorded::find(std::string_view file_name) const {
    if (wheels_.empty()) {
        return nullptr;
    }
    try {
        const auto found = by_name_.find(canonical_name(parse_wheel_name(file_name)));
        return found == by_name_.end() ? nullptr : &wheels_[found->second];
    } catch (const Error&) {
        return nullptr;  // no wheel's name
    }
}

}  // namespace wheelarch
