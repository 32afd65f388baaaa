#include "plan/policy_change.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "plan/one_job.hpp"
#include "policy/arch_list.hpp"
#include "policy/resolve.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

// By what makes the same cell in two policies.
std::string words_of(const GridRow& row) {
    const Cell& cell = row.cell;
    return fmt::format("{}\n{}\n{}\n{}\n{}", normal_name(cell.package), cell.cuda,
                       row.package->links_torch ? major_minor(cell.pytorch) : "", cell.python, cell.platform);
}

const Package* package_in(const Farm& farm, const std::string& name) {
    const auto found = std::find_if(farm.packages.begin(), farm.packages.end(), [&](const Package& package) {
        return normal_name(package.name) == normal_name(name);
    });
    return found == farm.packages.end() ? nullptr : &*found;
}

class Comparison {
public:
    Comparison(const Farm& before, const Farm& after) : before_(before), after_(after) {}

    PolicyChange take(const SourceVersions& versions) {
        compare_epochs();
        const std::vector<GridRow> old_grid = make_grid(before_, versions);
        const std::vector<GridRow> new_grid = make_grid(after_, versions);
        for (const GridRow& row : old_grid) {
            if (row.shard_index <= 1) {
                old_[words_of(row)] = &row;
            }
        }
        change_.removed = old_.size();
        for (const GridRow& row : new_grid) {
            if (row.shard_index <= 1) {
                ++change_.cells;
                compare(row);
            }
        }
        change_.jobs = count_jobs(all_);
        change_.jobs_changed_only = count_jobs(changed_);
        for (auto& [key, list] : lists_) {
            change_.lists.push_back(std::move(list));
        }
        add_forgotten();
        return std::move(change_);
    }

private:
    void compare_epochs() {
        add_epoch({}, static_cast<std::uint64_t>(before_.build_epoch), static_cast<std::uint64_t>(after_.build_epoch),
                  steps_of(after_.packages.front(), true));
        for (const Package& package : after_.packages) {
            const Package* old = package_in(before_, package.name);
            if (old == nullptr) {
                change_.packages_added.push_back(package.name);
                continue;
            }
            add_epoch(package.name, epochs(before_, *old).package, epochs(after_, package).package,
                      steps_of(package, false));
        }
        for (const Package& package : before_.packages) {
            if (package_in(after_, package.name) == nullptr) {
                change_.packages_removed.push_back(package.name);
            }
        }
    }

    std::vector<std::string> steps_of(const Package& package, bool of_farm) const {
        const Package* old = package_in(before_, package.name);
        const Epochs built = {static_cast<std::uint64_t>(before_.build_epoch),
                              old == nullptr ? 0 : epochs(before_, *old).package};
        std::vector<std::string> texts;
        for (const BumpStep& step : steps_since(after_, package, built)) {
            if (step.of_farm == of_farm) {
                texts.push_back(to_text(step));
            }
        }
        return texts;
    }

    void add_epoch(const std::string& package, std::uint64_t before, std::uint64_t after,
                   std::vector<std::string> steps) {
        if (after > before) {
            change_.epochs.push_back({package, before, after, std::move(steps)});
        } else if (after < before) {
            change_.findings.push_back(
                {"epoch-went-back", Severity::error, package.empty() ? "build_epoch of the farm" : package,
                 fmt::format("the epoch was {}, and would be {}", before, after),
                 fmt::format("leave it at {} or raise it: it never goes back, nor does it go away", before)});
        }
    }

    void compare(const GridRow& row) {
        const auto found = old_.find(words_of(row));
        if (found == old_.end()) {
            ++change_.added;
            all_.push_back(&row);
            changed_.push_back(&row);
            return;
        }
        --change_.removed;
        const GridRow& old = *found->second;
        const Epochs built = epochs(before_, *old.package);
        const bool bumped = !reach(built, epochs(after_, *row.package));
        const bool source = old.source_tag != row.source_tag || old.cell.version != row.cell.version;
        const bool moved = parse_arch_list(old.arch_list, "").archs != parse_arch_list(row.arch_list, "").archs;
        change_.sources += source ? 1 : 0;
        if (moved) {
            note_list(old, row, !bumped && !source);
        }
        if (bumped || source) {
            all_.push_back(&row);
            if (source || moved || !only_lists(after_, *row.package, built)) {
                changed_.push_back(&row);
            }
        }
    }

    void note_list(const GridRow& old, const GridRow& row, bool forgotten) {
        const std::string source = resolve_unchecked(after_, *row.package, row.cell).source;
        ListChange& list = lists_[{source, old.arch_list, row.arch_list, forgotten}];
        list.source = source;
        list.before = old.arch_list;
        list.after = row.arch_list;
        list.forgotten = forgotten;
        ++list.cells;
    }

    void add_forgotten() {
        for (const ListChange& list : change_.lists) {
            if (list.forgotten) {
                change_.findings.push_back(
                    {"epoch-forgotten",
                     Severity::error,
                     {},
                     fmt::format("{} from {} to {} ({}), and no epoch went up", lists_get(list.cells), list.before,
                                 list.after, list.source),
                     "raise build_epoch so that published wheels follow, and say in bumps: {rebuild: lists}"});
            }
        }
    }

    static std::string lists_get(std::size_t cells) {
        return cells == 1 ? "the list of 1 cell moves" : fmt::format("the lists of {} cells move", cells);
    }

    // One for each file, and for each shard of it.
    static std::size_t count_jobs(const std::vector<const GridRow*>& rows) {
        std::vector<JobCell> cells;
        for (const GridRow* row : rows) {
            cells.push_back({row->package, &row->cell, row->arch_list, row->source_tag, {}});
        }
        const std::vector<Job> jobs = jobs_of(cells);
        std::size_t count = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const auto shards = static_cast<std::size_t>(rows[i]->shard_count);
            count += jobs[i].leader != i ? 0 : shards == 0 ? 1 : shards + 1;
        }
        return count;
    }

    const Farm& before_;
    const Farm& after_;
    PolicyChange change_;
    std::unordered_map<std::string, const GridRow*> old_;
    std::map<std::tuple<std::string, std::string, std::string, bool>, ListChange> lists_;
    std::vector<const GridRow*> all_;      // to be built
    std::vector<const GridRow*> changed_;  // those that no plan carries
};

std::string epoch_text(const EpochChange& epoch) {
    return fmt::format("{} {} → {}: {}", epoch.package.empty() ? "the farm's" : printable(epoch.package) + "'s own",
                       epoch.before, epoch.after, fmt::join(epoch.steps, ", "));
}

std::string list_text(const ListChange& list) {
    return fmt::format("{}: {} → {}, by {}{}", count_of(list.cells, "cell"), printable(list.before),
                       printable(list.after), printable(list.source), list.forgotten ? ": no epoch went up" : "");
}

// What changes, each with what it is.
std::vector<std::pair<std::string, std::string>> lines_of(const PolicyChange& change) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const ListChange& list : change.lists) {
        lines.emplace_back("list", list_text(list));
    }
    for (const EpochChange& epoch : change.epochs) {
        lines.emplace_back("epoch", epoch_text(epoch));
    }
    const auto names = [&](const char* what, const std::vector<std::string>& packages) {
        if (!packages.empty()) {
            lines.emplace_back("packages", fmt::format("{}: {}", what, printable(enumerate(packages, 20))));
        }
    };
    names("new", change.packages_added);
    names("gone", change.packages_removed);
    if (change.added + change.removed + change.sources > 0) {
        lines.emplace_back("cells", fmt::format("{} new, {} gone, {} with another source", change.added, change.removed,
                                                change.sources));
    }
    return lines;
}

std::string jobs_text(const PolicyChange& change) {
    std::string text = change.jobs == 0 ? "nothing is to be built" : count_of(change.jobs, "job");
    if (change.jobs_changed_only != change.jobs) {
        text += fmt::format("; {} after `plan --changed-only`", change.jobs_changed_only);
    }
    return text;
}

}  // namespace

PolicyChange compare_policies(const Farm& before, const Farm& after, const SourceVersions& versions) {
    return Comparison(before, after).take(versions);
}

std::string to_text(const PolicyChange& change, const std::string& base) {
    std::string text = fmt::format("{} against {}: {}\n", count_of(change.cells, "cell"), base, jobs_text(change));
    for (const auto& [what, line] : lines_of(change)) {
        text += fmt::format("  {:<9} {}\n", what, line);
    }
    return text;
}

std::string to_markdown(const PolicyChange& change, const std::string& base) {
    const auto code = [](const std::string& words) {
        std::string safe = words;
        std::replace(safe.begin(), safe.end(), '`', '\'');
        std::replace(safe.begin(), safe.end(), '|', '/');
        return safe;
    };
    const bool fails = !change.findings.empty();
    const auto lines = lines_of(change);
    std::string text = fmt::format("### Wheels: {}\n\n{}, compared with {}.\n", jobs_text(change),
                                   count_of(change.cells, "cell"), base);
    if (!lines.empty()) {
        text += "\n| what | |\n| --- | --- |\n";
    }
    for (const auto& [what, line] : lines) {
        text += fmt::format("| {} | `{}` |\n", what, code(line));
    }
    for (const Finding& finding : change.findings) {
        text += fmt::format("\n**{}**: `{}{}{}`\nFix: {}\n", finding.rule, code(printable(finding.place)),
                            finding.place.empty() ? "" : ": ", code(printable(finding.message)), finding.fix);
    }
    return text + (fails ? "" : lines.empty() ? "\nNo wheel is touched.\n" : "\nNothing is forgotten.\n");
}

}  // namespace wheelarch
