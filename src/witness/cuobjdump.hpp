// cuobjdump: NVIDIA's reader, asked what it sees in a file. Its behaviour is recorded in docs/formats.md; what this
// unit relies on was measured with 11.8 to 13.5:
//   - `--list-elf --list-ptx -all` lists every image in file order, relocatable ones too;
//   - only the last `.sm_X.cubin` or `.sm_X.ptx` of a line is data, the rest of it echoes the file's own name;
//   - exit 255 with "does not contain device code" is said of a host file and of a damaged one alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/arch.hpp"
#include "base/error.hpp"
#include "binary/fatbin.hpp"
#include "policy/cuda_archs.hpp"

namespace wheelarch {

struct Cuobjdump {
    std::filesystem::path program;
    CudaVersion version;
    std::chrono::seconds time_limit{600};  // for one file
};

// `given` is a path to the program, or empty to look in $CUDA_HOME/bin, $CUDA_PATH/bin, $PATH, /usr/local/cuda*/bin and
// the Python environment's nvidia/cu*/bin and triton. Nothing if it is nowhere; throws an Error (exit 3) if `given` is
// no cuobjdump, or if what was found does not tell its version.
std::optional<Cuobjdump> find_cuobjdump(const std::string& given);

struct Listed {
    ImageKind kind = ImageKind::sass;  // sass or ptx
    Arch arch;                         // before CUDA 13.x, SASS is listed without the suffix `f`
};

// cuobjdump gave up on the file. `invalid_elf`: it called the file, or a cubin in it, "Invalid ELF". `removed`: the SM
// number of "Support for 'sm_35' has been removed", which it also says of PTX.
class Refused : public Error {
public:
    using Error::Error;
    bool invalid_elf = false;
    std::optional<std::uint32_t> removed;
};

// Throws an Error (exit 3) with cuobjdump's own words if it takes too long, crashes, or prints what is not understood;
// a Refused if it ends with another exit code than 0.
std::vector<Listed> list_images(const Cuobjdump& cuobjdump, const std::filesystem::path& file);

}  // namespace wheelarch
