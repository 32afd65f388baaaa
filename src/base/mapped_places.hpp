// Which file is mapped where: for the handler of a failing read of mapped memory, which may neither lock nor allocate.
#pragma once

#include <cstdint>
#include <string>

namespace wheelarch {

// What is beyond the number of places is not named. `name` is printable.
void note_place(const void* data, std::uint64_t size, const std::string& name);
void forget_place(const void* data) noexcept;
// The name that was noted for the bytes around `address`, or nothing.
const char* name_of_place(std::uintptr_t address) noexcept;

}  // namespace wheelarch
