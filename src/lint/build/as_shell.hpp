// Makefiles and Dockerfiles as a shell script that sets what they set and asks what they ask, so that one reader knows
// all three. Each line stays the line that it was; what is no command of a shell is left out.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// GNU make: assignments (`?=` is a default, and left out), recipes, `ifdef` and its like.
std::string makefile_as_shell(std::string_view text);
// `RUN` and `ENV`; `ARG` is a default.
std::string dockerfile_as_shell(std::string_view text);

}  // namespace wheelarch
