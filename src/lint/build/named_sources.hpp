// Sources that a build file names by their paths, as what it builds a library of.
#pragma once

#include <string>
#include <vector>

#include "lint/source_file.hpp"

namespace wheelarch {

// Of a Python script that makes extensions, and of commands of CMake that make a library or an extension (not of
// programs, nor of tests). Paths relative to the sources, in their shortest form; none leads out of them. Whether they
// are there is not looked at.
std::vector<std::string> named_sources(const SourceFile& file);

}  // namespace wheelarch
