#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "base/mapped_file.hpp"
#include "cli/commands.hpp"

int main(int argc, char** argv) {
    wheelarch::handle_shrinking_files();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of write(), which cleans up
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return static_cast<int>(wheelarch::run(arguments, std::cout, std::cerr));
}
