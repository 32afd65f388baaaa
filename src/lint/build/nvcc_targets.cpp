#include "lint/build/nvcc_targets.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace wheelarch {
namespace {

constexpr std::string_view kBetween = " \t\r\n,;=[]\"'\\<>$()";
constexpr std::array<std::string_view, 6> kFlags = {"-gencode",           "--generate-code", "-arch",
                                                    "--gpu-architecture", "-code",           "--gpu-code"};

enum class Where { nowhere, plain_arch, gencode_arch, code };

// A word that says where the targets after it belong.
std::optional<Where> place(std::string_view word) {
    if (word == "-arch" || word == "--gpu-architecture") {
        return Where::plain_arch;
    }
    if (word == "arch") {
        return Where::gencode_arch;
    }
    if (word == "code" || word == "-code" || word == "--gpu-code") {
        return Where::code;
    }
    return word == "-gencode" || word == "--generate-code" ? std::optional(Where::nowhere) : std::nullopt;
}

class Targets {
public:
    void take(std::string_view word) {
        if (const auto next = place(word)) {
            // `arch=compute_80` without a code asks for its PTX.
            if (*next != Where::code) {
                finish();
            }
            where_ = *next;
            return;
        }
        const bool real = word.starts_with("sm_");
        if (!real && !word.starts_with("compute_")) {
            return;
        }
        const auto arch = parse_bare_arch(word.substr(word.find('_') + 1));
        if (!arch) {
            return;
        }
        if (where_ == Where::code) {
            (real ? archs_.sass : archs_.ptx).insert(*arch);
            pending_.reset();
        } else if (where_ == Where::plain_arch && real) {
            archs_.add({{*arch}, {*arch}});
        } else if (where_ != Where::nowhere && !real) {
            pending_ = arch;
        }
    }

    ArchSet result() {
        finish();
        return archs_;
    }

private:
    void finish() {
        if (pending_) {
            archs_.ptx.insert(*pending_);
            pending_.reset();
        }
    }

    ArchSet archs_;
    std::optional<Arch> pending_;
    Where where_ = Where::nowhere;
};

template <typename Use>
void for_each_word(std::string_view flags, const Use& use) {
    while (!flags.empty()) {
        const std::size_t end = std::min(flags.find_first_of(kBetween), flags.size());
        // `-gencode=arch` and CMake's `SHELL:-gencode arch`.
        std::string_view word = flags.substr(0, end);
        if (const std::size_t colon = word.rfind(':'); colon != std::string_view::npos) {
            word.remove_prefix(colon + 1);
        }
        use(word);
        flags.remove_prefix(std::min(end + 1, flags.size()));
    }
}

}  // namespace

ArchSet nvcc_targets(std::string_view flags) {
    Targets targets;
    for_each_word(flags, [&](std::string_view word) { targets.take(word); });
    return targets.result();
}

std::string named_targets(std::string_view flags) {
    if (const ArchSet archs = nvcc_targets(flags); !archs.empty()) {
        return to_arch_list(archs);
    }
    std::string named;
    bool after_flag = false;
    for_each_word(flags, [&](std::string_view word) {
        if (after_flag && (word == "native" || word == "all" || word == "all-major")) {
            named = word;
        }
        after_flag = place(word) == Where::plain_arch || (after_flag && word.empty());
    });
    return named;
}

bool is_target_flag(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\\"), text.size()));
    const bool value = text.starts_with("arch=compute_") || text.starts_with("code=sm_");
    return value || std::any_of(kFlags.begin(), kFlags.end(), [&](std::string_view flag) {
               return text.starts_with(flag) &&
                      (text.size() == flag.size() || kBetween.find(text[flag.size()]) != std::string_view::npos);
           });
}

bool has_target_flag(std::string_view text) {
    if (is_target_flag(text)) {
        return true;
    }
    for (std::size_t at = text.starts_with('-') ? text.find(' ') : std::string_view::npos; at != std::string_view::npos;
         at = text.find(' ', at + 1)) {
        if (is_target_flag(text.substr(at, text.find(' ', at + 1) - at))) {
            return true;
        }
    }
    return false;
}

}  // namespace wheelarch
