// Where programs of the CUDA toolkit are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wheelarch {

// Folders in which to look for `program`, in this order: $CUDA_HOME/bin, $CUDA_PATH/bin, the one of $PATH that holds
// it, /usr/local/cuda*/bin, the Python environment's nvidia/cu*/bin and triton. Not all of them exist.
std::vector<std::filesystem::path> toolkit_folders(const std::string& program);

// The release of the nvcc that is found there, `13.0.88`; empty if there is none that tells it.
std::string nvcc_release();

}  // namespace wheelarch
