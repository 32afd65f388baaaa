#include "ledger/git_config_keys.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace wheelarch {
namespace {

// `*` is any text, dots too. The last part of a key is in lower case, as git compares it.
struct Pattern {
    std::string_view text;
    GitKeyPower power;
};

constexpr auto none = GitKeyPower::none;
constexpr auto by_shape = GitKeyPower::by_shape;
constexpr auto runs = GitKeyPower::runs;
constexpr auto moves = GitKeyPower::moves;
constexpr auto reads = GitKeyPower::reads;

// The first that matches decides. A section in which keys have power is listed key by key, so that a key which a later
// git brings is unknown; one with `*` has none, in any version so far.
constexpr Pattern kPatterns[] = {
    {"advice.*", none},
    {"add.*", none},
    {"alias.*", runs},
    {"am.*", none},
    {"apply.*", none},
    {"attr.tree", none},
    {"author.*", none},
    {"bitmappseudomerge.*", none},
    {"blame.*", none},
    {"branch.*", none},
    {"browser.*", runs},
    {"bundle.*", moves},
    {"checkout.*", none},
    {"clean.*", none},
    {"clone.*", none},
    {"color.*", none},
    {"column.*", none},
    {"commit.*", none},
    {"commitgraph.*", none},
    {"committer.*", none},
    {"completion.*", none},

    {"core.abbrev", none},
    {"core.alternaterefscommand", runs},
    {"core.alternaterefsprefixes", none},
    {"core.askpass", runs},
    {"core.attributesfile", reads},
    {"core.autocrlf", none},
    {"core.bare", none},
    {"core.bigfilethreshold", none},
    {"core.checkroundtripencoding", none},
    {"core.checkstat", none},
    {"core.commentchar", none},
    {"core.commentstring", none},
    {"core.commitgraph", none},
    {"core.compression", none},
    {"core.configlocktimeout", none},
    {"core.createobject", none},
    {"core.deltabasecachelimit", none},
    {"core.editor", runs},
    {"core.eol", none},
    {"core.excludesfile", none},  // of `git status` and `git add`
    {"core.filemode", none},
    {"core.filesreflocktimeout", none},
    {"core.fsmonitor", by_shape},
    {"core.fsmonitorhookversion", none},
    {"core.fsync", none},
    {"core.fsyncmethod", none},
    {"core.fsyncobjectfiles", none},
    {"core.gitproxy", runs},
    {"core.hidedotfiles", none},
    {"core.hookspath", runs},
    {"core.ignorecase", none},
    {"core.ignorestat", none},
    {"core.lockfilepid", none},
    {"core.logallrefupdates", none},
    {"core.longpaths", none},  // Git for Windows
    {"core.loosecompression", none},
    {"core.maxtreedepth", none},
    {"core.multipackindex", none},
    {"core.notesref", none},
    {"core.packedgitlimit", none},
    {"core.packedgitwindowsize", none},
    {"core.packedrefstimeout", none},
    {"core.pager", runs},
    {"core.precomposeunicode", none},
    {"core.prefersymlinkrefs", none},
    {"core.preloadindex", none},
    {"core.protecthfs", none},
    {"core.protectntfs", none},
    {"core.quotepath", none},
    {"core.repositoryformatversion", none},
    {"core.restrictinheritedhandles", none},
    {"core.safecrlf", none},
    {"core.sharedrepository", none},
    {"core.sparsecheckout", none},
    {"core.sparsecheckoutcone", none},
    {"core.splitindex", none},
    {"core.sshcommand", by_shape},
    {"core.symlinks", none},
    {"core.trustctime", none},
    {"core.unsetenvvars", none},
    {"core.untrackedcache", none},
    {"core.usereplacerefs", none},
    {"core.warnambiguousrefs", none},
    {"core.whitespace", none},
    {"core.worktree", none},

    {"credential.interactive", none},
    {"credential.protectprotocol", moves},
    {"credential.sanitizeprompt", moves},
    {"credential.usehttppath", none},
    {"credential.username", none},
    {"credential.*.usehttppath", none},
    {"credential.*.username", none},
    {"credential.*", runs},
    {"credentialcache.*", none},
    {"credentialstore.*", none},

    {"diff.external", runs},
    {"diff.*.command", runs},
    {"diff.*.textconv", runs},
    {"diff.*", none},
    {"difftool.*.cmd", runs},
    {"difftool.*.path", runs},
    {"difftool.*", none},

    {"extensions.compatobjectformat", none},
    {"extensions.noop", none},
    {"extensions.noop-v1", none},
    {"extensions.objectformat", none},
    {"extensions.partialclone", none},
    {"extensions.preciousobjects", none},
    {"extensions.refstorage", none},
    {"extensions.relativeworktrees", none},
    {"extensions.submodulepathconfig", none},
    {"extensions.worktreeconfig", none},

    {"fastimport.*", none},
    {"feature.*", none},
    {"fetch.all", none},
    {"fetch.bundlecreationtoken", moves},
    {"fetch.bundleuri", moves},
    {"fetch.followremotehead", none},
    {"fetch.fsck.skiplist", reads},
    {"fetch.fsck.*", none},
    {"fetch.fsckobjects", none},
    {"fetch.negotiationalgorithm", none},
    {"fetch.output", none},
    {"fetch.parallel", none},
    {"fetch.prune", none},
    {"fetch.prunetags", none},
    {"fetch.recursesubmodules", none},
    {"fetch.showforcedupdates", none},
    {"fetch.unpacklimit", none},
    {"fetch.writecommitgraph", none},
    {"filter.lfs.*", by_shape},
    {"filter.*.required", none},
    {"filter.*", runs},
    {"format.*", none},
    {"fsck.skiplist", reads},
    {"fsck.*", none},
    {"fsmonitor.*", none},
    {"gc.recentobjectshook", runs},
    {"gc.*", none},
    {"gitcvs.*", reads},
    {"gitweb.*", none},
    {"gpg.format", none},
    {"gpg.mintrustlevel", none},
    {"gpg.ssh.allowedsignersfile", none},
    {"gpg.ssh.revocationfile", none},
    {"gpg.*", runs},
    {"grep.*", none},
    {"gui.*", none},
    {"guitool.*", runs},
    {"help.browser", runs},
    {"help.*", none},
    {"hook.*", runs},

    {"http.keepalivecount", none},
    {"http.keepaliveidle", none},
    {"http.keepaliveinterval", none},
    {"http.lowspeedlimit", none},
    {"http.lowspeedtime", none},
    {"http.maxrequests", none},
    {"http.maxretries", none},
    {"http.maxretrytime", none},
    {"http.minsessions", none},
    {"http.noepsv", none},
    {"http.postbuffer", none},
    {"http.retryafter", none},
    {"http.useragent", none},
    {"http.version", none},
    {"http.*.postbuffer", none},
    {"http.*.version", none},
    {"http.*.extraheader", by_shape},
    {"http.*", moves},

    {"i18n.*", none},
    {"imap.tunnel", runs},
    {"imap.*", moves},
    {"include.*", reads},
    {"includeif.*", by_shape},
    {"index.*", none},
    {"init.templatedir", runs},  // its hooks
    {"init.*", none},
    {"instaweb.*", runs},
    {"interactive.difffilter", runs},
    {"interactive.singlekey", none},
    {"log.*", none},
    {"lsrefs.*", none},
    {"mailinfo.*", none},
    {"mailmap.*", none},
    {"maintenance.*", none},
    {"man.*", runs},
    {"merge.*.driver", runs},
    {"merge.*", none},
    {"mergetool.*.cmd", runs},
    {"mergetool.*.path", runs},
    {"mergetool.*", none},
    {"notes.*", none},
    {"pack.*", none},
    {"pager.*", runs},
    {"pretty.*", none},
    {"promisor.advertise", none},
    {"promisor.quiet", none},
    {"promisor.sendfields", none},
    {"promisor.*", moves},
    {"protocol.version", none},
    {"protocol.*", moves},
    {"pull.*", none},
    {"push.*", none},
    {"rebase.*", none},
    {"receive.fsck.skiplist", reads},
    {"receive.*", none},
    {"reftable.*", none},

    {"remote.pushdefault", none},
    {"remote.*.advertisedas", none},
    {"remote.*.fetch", none},
    {"remote.*.followremotehead", none},
    {"remote.*.gh-resolved", none},  // of gh
    {"remote.*.lfsurl", none},       // of git-lfs
    {"remote.*.mirror", none},
    {"remote.*.negotiationinclude", none},
    {"remote.*.negotiationrestrict", none},
    {"remote.*.partialclonefilter", none},
    {"remote.*.promisor", none},
    {"remote.*.proxy", moves},
    {"remote.*.proxyauthmethod", moves},
    {"remote.*.prune", none},
    {"remote.*.prunetags", none},
    {"remote.*.push", none},
    {"remote.*.pushurl", by_shape},
    {"remote.*.receivepack", runs},
    {"remote.*.serveroption", none},
    {"remote.*.skipdefaultupdate", none},
    {"remote.*.skipfetchall", none},
    {"remote.*.tagopt", none},
    {"remote.*.uploadpack", runs},
    {"remote.*.url", by_shape},
    {"remote.*.vcs", runs},
    {"remotes.*", none},

    {"repack.*", none},
    {"replay.*", none},
    {"rerere.*", none},
    {"revert.*", none},
    {"safe.*", none},  // git reads them in the user's own configuration only
    {"sendemail.*cmd", runs},
    {"sendemail.*smtp*", moves},
    {"sendemail.*", none},
    {"sequence.editor", runs},
    {"showbranch.*", none},
    {"sideband.*", none},
    {"sparse.*", none},
    {"splitindex.*", none},
    {"ssh.variant", moves},
    {"stash.*", none},
    {"status.*", none},
    {"submodule.*.update", by_shape},
    {"submodule.*", none},
    {"tag.*", none},
    {"tar.*.command", runs},
    {"tar.*", none},
    {"trace2.*", reads},
    {"trailer.*.cmd", runs},
    {"trailer.*.command", runs},
    {"trailer.*", none},
    {"transfer.advertiseobjectinfo", none},
    {"transfer.advertisesid", none},
    {"transfer.bundleuri", moves},
    {"transfer.credentialsinurl", none},
    {"transfer.fsckobjects", none},
    {"transfer.hiderefs", none},
    {"transfer.unpacklimit", none},
    {"uploadarchive.*", none},
    {"uploadpack.packobjectshook", runs},
    {"uploadpack.*", none},
    {"uploadpackfilter.*", none},
    {"url.*.insteadof", by_shape},
    {"url.*", moves},
    {"user.*", none},
    {"versionsort.*", none},
    {"web.browser", runs},
    {"worktree.*", none},

    // Of programs beside git, which reads none of them.
    {"annex.*", none},
    {"cola.*", none},
    {"gh.*", none},
    {"github.*", none},
    {"gitflow.*", none},
    {"gitg.*", none},
    {"hub.*", none},
    {"lfs.*", none},
    {"svn.*", none},
    {"svn-remote.*", none},
    {"tgit.*", none},
    {"vscode.*", none},
};

// By steps back to the last `*`, in time of the product of both lengths at most.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

GitKeyPower git_key_power(std::string_view key) {
    const std::string lower = lower_case(key);
    const auto* const found = std::find_if(std::begin(kPatterns), std::end(kPatterns),
                                           [&](const Pattern& pattern) { return matches(pattern.text, lower); });
    return found == std::end(kPatterns) ? GitKeyPower::unknown : found->power;
}

std::string_view power_text(GitKeyPower power) {
    switch (power) {
        case GitKeyPower::runs: return "can start a program";
        case GitKeyPower::moves: return "can lead a request elsewhere or weaken its protection";
        case GitKeyPower::reads: return "makes git read or write other files";
        case GitKeyPower::unknown: return "is a key that wheelarch does not know";
        default: return "is not as actions/checkout writes it";
    }
}

}  // namespace wheelarch
