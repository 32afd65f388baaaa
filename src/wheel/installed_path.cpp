#include "wheel/installed_path.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wheelarch {
namespace {

constexpr std::array<std::pair<std::string_view, Scheme>, 5> kSchemes = {{{"purelib", Scheme::site},
                                                                          {"platlib", Scheme::site},
                                                                          {"headers", Scheme::headers},
                                                                          {"scripts", Scheme::scripts},
                                                                          {"data", Scheme::data}}};

Scheme scheme_of(std::string_view folder) {
    const auto known =
        std::find_if(kSchemes.begin(), kSchemes.end(), [&](const auto& one) { return one.first == folder; });
    return known == kSchemes.end() ? Scheme::unknown : known->second;
}

std::vector<std::string_view> parts_of(std::string_view path, bool& is_plain) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(part.size() + 1, path.size()));
        if (part.empty() || part == ".") {
            is_plain = false;
        } else {
            parts.push_back(part);
        }
    }
    return parts;
}

}  // namespace

InstalledPath installed_path(std::string_view member_name) {
    InstalledPath installed;
    std::vector<std::string_view> parts = parts_of(member_name, installed.is_plain);
    if (!parts.empty() && parts.front().ends_with(".data")) {
        installed.data_folder = parts.front();
        installed.scheme = parts.size() < 2 ? Scheme::unknown : scheme_of(parts[1]);
        if (installed.scheme != Scheme::unknown) {
            parts.erase(parts.begin(), parts.begin() + 2);
        }
    }
    installed.path = fmt::format("{}", fmt::join(parts, "/"));
    return installed;
}

std::string shown_path(std::string_view member_name) {
    const InstalledPath installed = installed_path(member_name);
    if (installed.path.empty()) {
        return std::string(member_name);
    }
    switch (installed.scheme) {
        case Scheme::headers: return fmt::format("{}/headers/{}", installed.data_folder, installed.path);
        case Scheme::scripts: return fmt::format("{}/scripts/{}", installed.data_folder, installed.path);
        case Scheme::data: return fmt::format("{}/data/{}", installed.data_folder, installed.path);
        case Scheme::site:
        case Scheme::unknown: break;
    }
    return installed.path;
}

}  // namespace wheelarch
