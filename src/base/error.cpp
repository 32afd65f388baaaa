#include "base/error.hpp"

#include <fmt/format.h>

namespace wheelarch {

void Error::compose() {
    text_.clear();
    for (const std::string& input : inputs_) {
        text_ += text_.empty() ? input : " → " + input;
    }
    if (offset_) {
        text_ += fmt::format("{}offset {:#x}", text_.empty() ? "" : " → ", *offset_);
    }
    text_ += text_.empty() ? problem_ : ": " + problem_;
}

}  // namespace wheelarch
