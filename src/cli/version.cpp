#include "cli/version.hpp"

namespace wheelarch {

const char* version() {
    return WHEELARCH_VERSION;
}

}  // namespace wheelarch
