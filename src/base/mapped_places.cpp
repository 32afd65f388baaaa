#include "base/mapped_places.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace wheelarch {
namespace {

struct MappedPlace {
    std::atomic<bool> taken = false;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;  // 0: nothing is mapped
    std::array<char, 512> name = {};
};
std::array<MappedPlace, 256> places;

}  // namespace

void note_place(const void* data, std::uint64_t size, const std::string& name) {
    for (MappedPlace& place : places) {
        if (!place.taken.exchange(true)) {
            place.name.fill('\0');
            std::copy_n(name.begin(), std::min(name.size(), place.name.size() - 1), place.name.begin());
            place.begin = reinterpret_cast<std::uintptr_t>(data);
            place.end = place.begin + static_cast<std::uintptr_t>(size);
            return;
        }
    }
}

void forget_place(const void* data) noexcept {
    for (MappedPlace& place : places) {
        if (place.end != 0 && place.begin == reinterpret_cast<std::uintptr_t>(data)) {
            place.end = 0;
            place.taken = false;
            return;
        }
    }
}

const char* name_of_place(std::uintptr_t address) noexcept {
    const auto found = std::find_if(places.begin(), places.end(), [&](const MappedPlace& place) {
        return place.begin <= address && address < place.end;
    });
    return found == places.end() ? nullptr : found->name.data();
}

}  // namespace wheelarch
