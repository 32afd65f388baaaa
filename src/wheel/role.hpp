// Role: whether a member's device code is the package's own, which is what an assertion is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

enum class Role {
    extension,  // has device code, and it is ours
    vendored,   // a third party's runtime that was copied in: listed, but not judged
    host,       // no device code
};
std::string_view name(Role role);

// Shell patterns over a member's path: `*` and `?` stay within a folder, `**` crosses folders, and `**/` stands for any
// number of folders, none too. A pattern without a slash is matched against the last part of the path.
bool matches(std::string_view pattern, std::string_view path);
bool matches_any(const std::vector<std::string>& patterns, std::string_view path);

// Is this a runtime library of CUDA or torch? Not so in the package that publishes it: `libcublas.so.12` is
// nvidia_cublas_cu12's own. `distribution` is empty if it is not known.
bool is_runtime(std::string_view path, std::string_view distribution);

// Was it put into a `<distribution>.libs/` folder by auditwheel or delvewheel? Others' libraries come to lie there, but
// the package's own too, where its extension module is only a thin layer over them (ctranslate2, faiss).
bool is_repaired_in(std::string_view path);

}  // namespace wheelarch
