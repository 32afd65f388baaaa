#include <iostream>
#include <string>
#include <vector>

#include "base/startup.hpp"
#include "cli/run.hpp"

int main(int argc, char** argv) {
    wheelarch::start_up();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return static_cast<int>(wheelarch::run(arguments, std::cout, std::cerr));
}
