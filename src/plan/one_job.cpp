#include "plan/one_job.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "wheel/python_tags.hpp"

namespace wheelarch {
namespace {

// What the cells of one file share; the last is empty for a cell that stands alone.
using FileKey = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string>;

std::string file_of(const JobCell& cell) {
    const std::string& tags = cell.package->wheel_python;
    if (tags.empty()) {
        return cell.wheel;
    }
    const std::size_t dash = tags.find('-');
    return tags_serve({tags.substr(0, dash)}, {tags.substr(dash + 1)}, cell.cell->python) ? tags : std::string();
}

FileKey key_of(const JobCell& cell, std::string file) {
    const Cell& of = *cell.cell;
    return {of.package + ' ' + of.version,
            of.cuda,
            cell.package->links_torch ? major_minor(of.pytorch) : "",
            of.platform,
            cell.arch_list,
            cell.source_tag,
            std::move(file)};
}

// 3.9 is older than 3.10, and 3.13 than 3.13t.
bool is_older(const std::string& left, const std::string& right) {
    const auto order = [](const std::string& text) { return std::tuple(text.find('.'), text.size(), text); };
    return order(left) < order(right);
}

}  // namespace

std::vector<Job> jobs_of(const std::vector<JobCell>& cells) {
    std::map<FileKey, std::vector<std::size_t>> files;
    std::vector<Job> jobs(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        jobs[i].leader = i;
        if (std::string file = file_of(cells[i]); !file.empty()) {
            files[key_of(cells[i], std::move(file))].push_back(i);
        }
    }
    for (auto& [key, members] : files) {
        if (members.size() < 2) {
            continue;
        }
        std::sort(members.begin(), members.end(), [&](std::size_t left, std::size_t right) {
            return is_older(cells[left].cell->python, cells[right].cell->python);
        });
        Job job{members.front(), {}};
        for (const std::size_t member : members) {
            job.serves.push_back(cells[member].cell->python);
        }
        for (const std::size_t member : members) {
            jobs[member] = job;
        }
    }
    return jobs;
}

}  // namespace wheelarch
