#include "lint/device/device_facts.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "lint/device/call_graph.hpp"
#include "lint/device/device_walk.hpp"
#include "lint/device/word_set.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kDeepestIncludes = 64;
constexpr std::size_t kMostRounds = 16;  // of looking for names in the same files
// Beyond these, headers of a package define nothing for others.
constexpr std::size_t kMostIncluded = std::size_t{1} << 22U;  // MacroTable::cost()

// What a build compiles by itself.
bool is_source(const SourceFile& file) {
    return file.path.ends_with(".cu") || file.path.ends_with(".cpp") || file.path.ends_with(".cc") ||
           file.path.ends_with(".cxx");
}

}  // namespace

struct DevicePackage::State {
    Find find;
    BuiltFor built_for;
    std::unordered_map<std::string, std::unique_ptr<DeviceRead>> files;  // null while it is read
    std::unordered_map<std::string, std::vector<std::string>> includers;
    std::size_t depth = 0;
    std::size_t included = 0;
    PackageRead package;
    const DeviceRead empty{package};
    const FindMacros find_macros = [this](const std::string& path, const std::string& by) {
        return macros_of(path, by);
    };

    const DeviceRead* read(const SourceFile& file) {
        if (!may_be_device_code(file) || depth >= kDeepestIncludes) {
            return nullptr;
        }
        const auto [place, is_new] = files.try_emplace(file.path);
        std::unique_ptr<DeviceRead>& known = place->second;  // stays there while others come
        if (is_new) {
            auto result = std::make_unique<DeviceRead>(package);
            ++depth;
            DeviceWalk(file, find_macros, built_for(file), package, *result).run();
            --depth;
            included += result->macros.cost();
            known = std::move(result);
        }
        return known.get();
    }

    // Sources and what they include, which is all of them if there are no sources: an empty set.
    std::set<std::string> built(const std::vector<SourceFile>& all) const {
        std::unordered_map<std::string, std::vector<const std::string*>> included_by;
        for (const auto& [header, by] : includers) {
            for (const std::string& file : by) {
                included_by[file].push_back(&header);
            }
        }
        std::set<std::string> found;
        std::vector<std::string> to_do;
        for (const SourceFile& file : all) {
            if (is_source(file) && found.insert(file.path).second) {
                to_do.push_back(file.path);
            }
        }
        while (!to_do.empty()) {
            const std::string file = std::move(to_do.back());
            to_do.pop_back();
            for (const std::string* header : included_by[file]) {
                if (found.insert(*header).second) {
                    to_do.push_back(*header);
                }
            }
        }
        return found;
    }

    const MacroTable* macros_of(const std::string& path, const std::string& by) {
        const SourceFile* file = path.empty() ? nullptr : find(path);
        if (file == nullptr) {
            return nullptr;
        }
        std::vector<std::string>& all = includers[file->path];
        if (all.empty() || all.back() != by) {
            all.push_back(by);
        }
        const DeviceRead* result = read(*file);
        return result == nullptr || included > kMostIncluded ? nullptr : &result->macros;
    }
};

DevicePackage::DevicePackage(Find find, BuiltFor built_for) : state_(std::make_unique<State>()) {
    state_->find = std::move(find);
    state_->built_for = std::move(built_for);
}

DevicePackage::~DevicePackage() = default;

const std::vector<std::string>& DevicePackage::includers(const std::string& path) const {
    static const std::vector<std::string> none;
    const auto found = state_->includers.find(path);
    return found == state_->includers.end() ? none : found->second;
}

namespace {

// Who calls what, where the first walk could not know it yet, and what comes of that.
class Narrowing {
public:
    explicit Narrowing(PackageRead& package) : package_(package), calls_(package.calls) {}

    // Of the file's facts, the scopes are asked for.
    void ask(const SourceFile& file, DeviceRead& first, ArchMask passes) {
        for (const auto& ptx : first.facts.ptx) {
            calls_.ask(*ptx.scope);
        }
        for (const auto& word : first.facts.words) {
            calls_.ask(*word.scope);
        }
        for (const auto& gate : first.facts.gates) {
            calls_.ask(*gate.scope);
        }
        asked_.push_back({&file, &first, passes});
    }

    // A file that may name what was declared later and leads to a scope that is asked for.
    void add(const SourceFile& file, DeviceRead& first, ArchMask passes) {
        waiting_.push_back({&file, &first, passes});
    }

    void follow_calls() {
        WordSet looked_for;
        std::size_t rounds = 0;
        for (bool more = true; more; ++rounds) {
            const WordSet names = looked_for.add(calls_.open());
            more = !names.empty() && read_calls(names, rounds >= kMostRounds);
        }
        calls_.resolve();
    }

    void apply(const std::set<std::string>& built) {
        for (const auto& one : asked_) {
            const bool is_built = built.empty() || built.contains(one.file->path);
            take_out(one.first->facts, [&](const CodeScope& scope) {
                return one.passes & (is_built ? calls_.of(scope) : calls_.called(scope));
            });
        }
    }

private:
    struct Read {
        const SourceFile* file;
        DeviceRead* first;
        ArchMask passes;
    };

    // Reads those that may name one of these, or all; are there such?
    bool read_calls(const WordSet& names, bool all) {
        return 0 != std::erase_if(waiting_, [&](const Read& one) {
                   if (!all && !one.first->undeclared.may_have_one_of(names)) {
                       return false;
                   }
                   DeviceRead again(package_);
                   DeviceWalk(*one.file, *one.first, one.passes, package_, again).run();
                   return true;
               });
    }

    template <typename There>
    static void take_out(DeviceFacts& facts, const There& there) {
        for (InlinePtx& ptx : facts.ptx) {
            ptx.archs &= there(*ptx.scope);
        }
        for (FeatureWord& word : facts.words) {
            word.archs &= there(*word.scope);
        }
        for (Gate& gate : facts.gates) {
            gate.outer &= there(*gate.scope);
            gate.inner &= gate.outer;
        }
        std::erase_if(facts.gates, [](const Gate& gate) { return gate.inner == kNoPass || gate.inner == gate.outer; });
    }

    PackageRead& package_;
    CallGraph& calls_;
    std::vector<Read> asked_;
    std::vector<Read> waiting_;
};

}  // namespace

void DevicePackage::narrow(const std::vector<SourceFile>& files,
                           const std::function<bool(const SourceFile&)>& matters) {
    Narrowing narrowing(state_->package);
    for (const SourceFile& file : files) {
        if (state_->read(file) == nullptr) {
            continue;
        }
        DeviceRead& first = *state_->files[file.path];
        const ArchMask passes = state_->built_for(file);
        if (first.splits || matters(file)) {
            narrowing.ask(file, first, passes);
        }
        narrowing.add(file, first, passes);
    }
    narrowing.follow_calls();
    narrowing.apply(state_->built(files));
}

const DeviceFacts& DevicePackage::facts(const SourceFile& file) {
    const DeviceRead* result = state_->read(file);
    return result == nullptr ? state_->empty.facts : result->facts;
}

}  // namespace wheelarch
