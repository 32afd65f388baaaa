#include "lint/device_facts.hpp"

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "lint/call_graph.hpp"
#include "lint/device_walk.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kDeepestIncludes = 64;
// Beyond these, headers of a package define nothing for others.
constexpr std::size_t kMostPassedOn = std::size_t{1} << 23U;  // macros

}  // namespace

struct DevicePackage::State {
    Find find;
    std::unordered_map<std::string, std::unique_ptr<DeviceRead>> files;  // null while it is read
    std::map<std::string, std::set<std::string>> includers;
    std::size_t depth = 0;
    std::size_t passed_on = 0;
    const DeviceRead empty;

    const DeviceRead* read(const SourceFile& file) {
        const bool device = file.language == SourceFile::Language::cuda || file.language == SourceFile::Language::cpp;
        if (!device || depth >= kDeepestIncludes) {
            return nullptr;
        }
        const auto [place, is_new] = files.try_emplace(file.path);
        std::unique_ptr<DeviceRead>& known = place->second;  // stays there while others come
        if (is_new) {
            auto result = std::make_unique<DeviceRead>();
            ++depth;
            DeviceWalk(file, include(), *result).run();
            --depth;
            known = std::move(result);
        }
        return known.get();
    }

    FindMacros include() {
        return [this](const std::string& path, const std::string& by) { return macros_of(path, by); };
    }

    const MacroTable* macros_of(const std::string& path, const std::string& by) {
        const SourceFile* file = path.empty() ? nullptr : find(path);
        if (file == nullptr) {
            return nullptr;
        }
        includers[path].insert(by);
        const DeviceRead* result = read(*file);
        passed_on += result == nullptr ? 0 : result->macros.size();
        return result == nullptr || passed_on > kMostPassedOn ? nullptr : &result->macros;
    }
};

DevicePackage::DevicePackage(Find find) : state_(std::make_unique<State>()) {
    state_->find = std::move(find);
}

DevicePackage::~DevicePackage() = default;

const std::set<std::string>& DevicePackage::includers(const std::string& path) const {
    static const std::set<std::string> none;
    const auto found = state_->includers.find(path);
    return found == state_->includers.end() ? none : found->second;
}

void DevicePackage::narrow(const std::vector<SourceFile>& files,
                           const std::function<ArchMask(const SourceFile&)>& built_for) {
    CallGraph calls;
    std::vector<std::pair<DeviceFacts*, ArchMask>> all;
    for (const SourceFile& file : files) {
        if (state_->read(file) == nullptr) {
            continue;
        }
        DeviceRead again;
        const ArchMask passes = built_for(file);
        DeviceWalk(file, state_->include(), again, &calls, passes).run();
        DeviceFacts& facts = state_->files[file.path]->facts;
        facts = std::move(again.facts);
        all.emplace_back(&facts, passes);
    }
    calls.resolve();
    for (const auto& [facts, passes] : all) {
        for (InlinePtx& ptx : facts->ptx) {
            ptx.archs &= calls.of(ptx.scope) & passes;
        }
        for (FeatureWord& word : facts->words) {
            word.archs &= calls.of(word.scope) & passes;
        }
        for (Gate& gate : facts->gates) {
            gate.outer &= calls.of(gate.scope) & passes;
            gate.inner &= gate.outer;
        }
        std::erase_if(facts->gates, [](const Gate& gate) { return gate.inner == kNoPass || gate.inner == gate.outer; });
    }
}

const DeviceFacts& DevicePackage::facts(const SourceFile& file) {
    const DeviceRead* result = state_->read(file);
    return result == nullptr ? state_->empty.facts : result->facts;
}

}  // namespace wheelarch
