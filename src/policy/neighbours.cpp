#include "policy/neighbours.hpp"

#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShown = 4;  // regions in a message

class Neighbours {
public:
    Neighbours(const Inventory& inventory, bool per_member)
        : inventory_(inventory),
          severity_(per_member ? Severity::error : Severity::warning),
          fix_(per_member ? "build every source for the whole list; or run without --per-member"
                          : "build every source for the whole list; --per-member makes this an error") {}

    void members(const std::vector<const Member*>& of_union) {
        ArchSet all;
        for (const Member* member : of_union) {
            all.add(member->archs);
        }
        for (const Member* member : of_union) {
            const ArchSet lacks = minus(all, member->archs);
            if (!lacks.empty()) {
                add("narrow-member", *member, fmt::format("lacks {}, which other members have", to_text(lacks)));
            }
        }
    }

    void regions(const Member& member) {
        std::map<ArchSet, std::vector<std::string>> by_lack;
        for (const NarrowRegion& region : member.narrow_regions) {
            const std::string function = region.function.empty() ? "" : ", " + shortened(region.function);
            by_lack[region.lacks].push_back(fmt::format("{} (offset {:#x}{})", region.number, region.offset, function));
        }
        for (const auto& [lacks, regions] : by_lack) {
            add("narrow-region", member,
                fmt::format("region{} {} of {}: {} {}, which other regions have", regions.size() == 1 ? "" : "s",
                            enumerate(regions, kShown), member.region_count, regions.size() == 1 ? "lacks" : "lack",
                            to_text(lacks)));
        }
        if (member.narrow_count > member.narrow_regions.size()) {  // only the first of them are kept one by one
            add("narrow-region", member,
                fmt::format("{} of its {} regions in all lack an arch which other regions have", member.narrow_count,
                            member.region_count));
        }
    }

    std::vector<Finding> take() { return std::move(findings_); }

private:
    void add(std::string rule, const Member& member, std::string message) {
        findings_.push_back({std::move(rule), severity_, place_of(inventory_, member), std::move(message), fix_});
    }

    const Inventory& inventory_;
    Severity severity_;
    std::string fix_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_neighbours(const Inventory& inventory, const std::vector<const Member*>& extensions,
                                      const std::vector<const Member*>& of_union, bool per_member) {
    Neighbours neighbours(inventory, per_member);
    neighbours.members(of_union);
    for (const Member* member : extensions) {
        neighbours.regions(*member);
    }
    return neighbours.take();
}

}  // namespace wheelarch
