// What a C, C++ or CUDA file says about archs: gates (conditions that are true for some archs only), inline PTX, and
// names that stand for a hardware feature; each with the archs that it is compiled for.
//
// "Compiled for" is found by evaluating each condition once for every arch that CUDA knows, with what nvcc defines in
// that pass (measured with nvcc 13.0; "CUDA C++ Programming Guide", 5.4 and 16.5, has the macros). A condition that
// cannot be known, such as a version of CUDA or torch, may hold for all. A name that is defined nowhere in the package
// is not known, except those of CUTLASS and CuTe that stand for an arch (feature_names.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/arch_mask.hpp"
#include "lint/device/instructions.hpp"
#include "lint/device/scopes.hpp"
#include "lint/source_file.hpp"

namespace wheelarch {

struct SourcePlace {
    unsigned line = 0;
    unsigned column = 0;
};

struct Gate {
    SourcePlace place;
    std::string text;  // the condition, as written
    ArchMask outer;    // archs for which the text around the gate may be compiled
    ArchMask inner;    // archs for which what is inside may be
    // What is inside stops the build (#error, static_assert), so that a list with such an arch fails.
    bool refuses = false;
    bool fallback = false;  // what is left out below has other code there
    // Defines what device code uses (functions, types, constants), and has no other branch that does.
    bool definitions = false;
    const CodeScope* scope = &kOutside;  // never null
};

struct InlinePtx {
    SourcePlace place;
    const PtxText* ptx;  // string literals joined, escapes kept; a macro between them is a blank
    ArchMask archs;
    bool in_macro = false;               // in a #define
    const CodeScope* scope = &kOutside;  // of a macro, `name` is its name
    bool certain = true;                 // in no `if constexpr` about something that is not known
};

struct FeatureWord {
    SourcePlace place;
    std::string text;
    ArchMask archs;
    const CodeScope* scope = &kOutside;
    bool made = false;  // a value of it is made here (feature_words.cpp)
};

struct DeviceFacts {
    std::vector<Gate> gates;
    std::vector<InlinePtx> ptx;
    std::vector<FeatureWord> words;  // those that feature_names.hpp knows
};

// The C, C++ and CUDA files of a package. Each is read for facts once, a header when a file first includes it.
class DevicePackage {
public:
    // Null for a path that the package does not have. What it points to must outlive this object.
    using Find = std::function<const SourceFile*(const std::string& path)>;

    // The passes in which a file is compiled.
    using BuiltFor = std::function<ArchMask(const SourceFile&)>;

    explicit DevicePackage(Find find, BuiltFor built_for = [](const SourceFile&) { return every_pass(); });
    ~DevicePackage();
    DevicePackage(const DevicePackage&) = delete;
    DevicePackage& operator=(const DevicePackage&) = delete;

    // Empty facts for a file that is not C, C++ or CUDA. Never throws for what is in the text.
    const DeviceFacts& facts(const SourceFile& file);

    // Files that were read and include this one, in the order of reading; some twice.
    const std::vector<std::string>& includers(const std::string& path) const;

    // Takes out of the files' facts the archs for which a function is not called (call_graph.hpp). Files that may call
    // what was declared after they were read are read again. What is there for others counts in files that are built.
    // `files` are all of the package, and `matters` those whose facts somebody wants: others' are as before, unless
    // they have gates.
    void narrow(const std::vector<SourceFile>& files, const std::function<bool(const SourceFile&)>& matters);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wheelarch
