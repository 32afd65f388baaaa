// Where an installer writes a member of a wheel, as "Binary distribution format" on packaging.python.org, pip and uv
// have it: `a//b` and `./a/b` are `a/b`, and what lies in `pkg-1.0.data/purelib/` or `platlib/` goes beside the rest.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

enum class Scheme {
    site,     // the folder of Python's packages: the root of the archive, `.data/purelib` and `.data/platlib`
    headers,  // `.data/headers`, and so on
    scripts,
    data,
    unknown,  // in a `.data` folder, but not in one of these
};

struct InstalledPath {
    Scheme scheme = Scheme::site;
    std::string path;  // below the folder of the scheme, without empty parts and `.`; of `unknown` the whole name
    std::string data_folder;  // `pkg-1.0.data`, if it lies in one
    bool is_plain = true;     // the name has no empty part and no `.`, but for the slash at the end of a folder
};

InstalledPath installed_path(std::string_view member_name);

// What users know the file by: its path in the folder of packages, or for another scheme the name with its folder.
std::string shown_path(std::string_view member_name);

}  // namespace wheelarch
