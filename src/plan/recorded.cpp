#include "plan/recorded.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
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
    wheel.valid_for = valid_for(entry);
    wheel.sha256 = std::string(entry.json.at("wheel").at("sha256").as_string());
    const boost::json::value* source = entry.json.if_contains("source");
    const boost::json::value* ref =
        source != nullptr && source->is_object() ? source->as_object().if_contains("ref") : nullptr;
    if (!wheel.inferred && ref != nullptr && ref->is_string()) {
        wheel.source_ref = std::string(ref->as_string());
    }
    return wheel;
}

namespace {

struct Highest {
    std::uint64_t number = 0;
    const RecordedWheel* wheel = nullptr;

    void add(std::uint64_t other, const RecordedWheel& of) {
        if (other > number) {
            number = other;
            wheel = &of;
        }
    }
};

Finding gone_back(const Highest& highest, const std::string& place, const std::string& what, std::uint64_t today) {
    return {"epoch-went-back", Severity::error, place,
            fmt::format("{} is recorded for {} {}, but the policy is at {}", printable(highest.wheel->file_name), what,
                        highest.number, today),
            fmt::format("raise it to {} or more: it never goes back, or one number would stand for two things",
                        highest.number)};
}

}  // namespace

std::vector<Finding> epochs_gone_back(const Farm& farm, const Recorded& recorded) {
    std::unordered_map<std::string, std::pair<const Package*, Highest>> packages;
    for (const Package& package : farm.packages) {
        packages[normal_name(package.name)] = {&package, {}};
    }
    std::unordered_map<std::string, decltype(&packages.begin()->second)> by_folder;  // names are normalized once
    Highest of_farm;
    for (const RecordedWheel& wheel : recorded.wheels()) {
        const auto [known, is_new] = by_folder.try_emplace(wheel.package, nullptr);
        if (is_new) {
            const auto package = packages.find(normal_name(wheel.package));
            known->second = package == packages.end() ? nullptr : &package->second;
        }
        auto* of_package = known->second;
        const bool own = of_package == nullptr || of_package->first->build_epoch.has_value();
        if (!wheel.valid_for.one_counter || !own) {  // else nobody knows whose number it is
            of_farm.add(wheel.valid_for.epochs.farm, wheel);
        }
        if (of_package != nullptr) {
            of_package->second.add(wheel.valid_for.epochs.package, wheel);
        }
    }
    std::vector<Finding> findings;
    if (const auto today = static_cast<std::uint64_t>(farm.build_epoch); of_farm.number > today) {
        findings.push_back(gone_back(of_farm, "build_epoch of the farm", "epoch", today));
    }
    for (const Package& package : farm.packages) {
        const Highest& highest = packages.at(normal_name(package.name)).second;
        if (const std::uint64_t today = epochs(farm, package).package; highest.number > today) {
            findings.push_back(gone_back(highest, package.name, "the package's own epoch", today));
        }
    }
    return findings;
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
