// What each key of git's configuration can do in the hands of somebody else: the list by which git_trust.hpp lets a
// repository's own configuration pass. It is a list of what is allowed: a key that stands nowhere is refused.
//
// Source: the keys of `git help --config` in git 2.39 and 2.55, and what their documentation says
// (Documentation/config/). tests/ledger/git_config_keys.inc has them all, and a test that each is classified.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

enum class GitKeyPower {
    none,      // of no concern: neither starts anything nor decides who is asked
    by_shape,  // what actions/checkout writes: depends on the value, which git_trust.cpp knows
    runs,      // can start a program
    moves,     // can lead a request elsewhere, or take its protection away
    reads,     // makes git read or write other files
    unknown,   // in no documentation that we know
};

// `key` as in GitSetting.
GitKeyPower git_key_power(std::string_view key);

// For a message, after the key: `can start a program`.
std::string_view power_text(GitKeyPower power);

}  // namespace wheelarch
