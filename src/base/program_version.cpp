#include "base/program_version.hpp"

namespace wheelarch {

const char* program_version() {
    return WHEELARCH_VERSION;
}

}  // namespace wheelarch
