#include <iostream>
#include <string>
#include <vector>

#include "base/mapped_file.hpp"
#include "cli/commands.hpp"

int main(int argc, char** argv) {
    wheelarch::handle_shrinking_files();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return static_cast<int>(wheelarch::run(arguments, std::cout, std::cerr));
}
