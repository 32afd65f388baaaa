// Options: what each command was asked to do. Parsing is CLI11's; names not known come with the nearest that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "plan/filters.hpp"

namespace wheelarch {

// Options of every command that reads binaries.
struct ReadingOptions {
    std::vector<std::string> exclude;
    std::vector<std::string> include;
    bool search = false;  // the data of files that are no wheels too
    std::string witness = "auto";
    std::string cuobjdump;
    unsigned cuobjdump_timeout = 600;  // seconds, for one file
    std::string json;                  // a path, `-` for standard output, or empty
};

struct InspectOptions {
    ReadingOptions reading;
    std::vector<std::string> files;
    bool images = false;
};

// Where a command learns how a wheel was built.
struct BuildOptions {
    std::string cell;  // a file with one matrix row, `-` for standard input, or empty
    std::string farm;  // the folder of the farm's policy; empty: the working folder, if it has one
    std::optional<std::uint64_t> build_epoch;
    std::optional<std::uint64_t> package_epoch;
    std::string source_commit;
};

struct AssertOptions {
    ReadingOptions reading;
    BuildOptions build;
    std::vector<std::string> wheels;
    std::string arch_list;
    std::string cuda;                         // empty: what nvcc can build is not checked
    std::string torch;                        // empty: what torch's cpp_extension takes is not checked
    std::vector<std::string> expect_members;  // GLOB=LIST
    std::string device_code = "required";     // or "none"
    bool per_member = false;
    bool count_embedded = false;  // code in the data of members counts too
};

struct StampOptions {
    ReadingOptions reading;
    BuildOptions build;
    std::vector<std::string> wheels;
    std::string arch_list;  // only recorded
};

struct GateOptions {
    AssertOptions asserted;
    std::string statement;  // a path, or empty
};

// Where lint finds the sources of packages.
struct SourceOptions {
    std::string sources;  // a folder with one folder for each package, or empty
    bool fetch = false;
    std::string cache;        // for what is fetched; empty: the user's
    bool everything = false;  // vendored trees too
};

// Wheels that hang on the releases of a farm.
struct ReleaseOptions {
    bool ask_gh = false;
    std::string repository;             // OWNER/NAME for gh; empty: its own choice
    std::string existing;               // a file with the assets; empty: gh is asked
    std::vector<std::string> packages;  // empty: all of the farm's policy, or of the file

    bool any() const { return ask_gh || !repository.empty() || !existing.empty(); }
};

// Options of every command on the ledger.
struct LedgerPlace {
    std::string farm = ".";  // a folder in the repository
    std::string branch = "wheel-ledger";
    std::string remote;  // empty: the one there is
    bool trust_git_config = false;
    std::string json;
};

struct RecordOptions {
    LedgerPlace place;
    std::vector<std::string> entries;  // files, or folders of them
    bool replace = false;
};

struct BackfillOptions {
    ReadingOptions reading;
    ReleaseOptions releases;
    LedgerPlace place;                // its `json` is not used
    std::vector<std::string> wheels;  // or folders of them
    std::string output;               // a folder for entries, which are not committed then
    std::string shard;                // I/N, or empty
    unsigned jobs = 0;                // 0: as many as there are cores
    bool replace = false;
    bool offline = false;
};

struct ShowOptions {
    LedgerPlace place;
    std::string name;
    bool fetch = false;
};

struct ListOptions {
    LedgerPlace place;
    std::string package;
    std::string cuda;
    std::optional<std::uint64_t> build_epoch;
    std::string arch;
    std::string provenance;
    bool fetch = false;
};

// How a farm command learns which wheels exist.
struct ExistingOptions {
    std::string existing;    // a file of assets, `-` for standard input; empty: gh is asked
    std::string repository;  // OWNER/NAME for gh; empty: its own choice
    std::string branch = "wheel-ledger";
    std::string remote;
    bool trust_git_config = false;
    bool offline = false;           // the ledger as it is here, without a fetch
    bool rebuild_replaced = false;  // what is not the recorded file
    unsigned grace_minutes = 60;    // that an asset is left alone for after its upload
};

struct KeyOptions {
    std::string farm = ".";
    std::string cell;
    ExistingOptions existing;
    bool key_only = false;
    std::string json;
};

struct RetireOptions {
    LedgerPlace place;
    std::vector<std::string> names;  // of wheels
    std::string from;                // a file with more of them, or empty
    ExistingOptions existing;
};

// Which cells of the grid are asked about.
struct GridOptions {
    std::string farm = ".";
    std::string versions;  // a JSON file, or empty
    FilterWords filters;
    std::string output;  // a file for the whole matrix, or empty
    std::size_t page = 1;
    std::string json;
};

struct MatrixOptions {
    GridOptions grid;
    std::string from;  // a file, `-` for standard input; empty: the grid of the farm
    ExistingOptions existing;
    bool all = false;   // whether or not the wheel exists
    bool lint = false;  // the packages of the rows, first
    SourceOptions sources;
};

struct PlanCommandOptions {
    GridOptions grid;
    ExistingOptions existing;
    bool ask_gh = false;
    bool changed_only = false;
    bool dry_run = false;
    bool check = false;
    std::string base;      // a commit, or empty
    std::string markdown;  // a file, or empty
    std::string explain;   // a key or a wheel's name, or empty
};

struct LintOptions {
    std::string farm = ".";
    std::vector<std::string> packages;  // empty: all whose sources are there
    SourceOptions sources;
    std::string json;
    std::string sarif;    // a file, or empty
    std::string explain;  // a rule, `all`, or empty
};

struct AuditOptions {
    ReadingOptions reading;
    std::vector<std::string> wheels;  // or results of shards
    ReleaseOptions releases;
    std::string farm;  // empty: the working folder, with its policy if it has one
    std::string branch = "wheel-ledger";
    std::string remote;
    bool trust_git_config = false;
    bool by_digest = false;  // releases: what they state of a wheel is enough if it is what is recorded
    bool offline = false;
    unsigned jobs = 0;   // 0: as many as there are cores
    std::string state;   // a file, or empty
    std::string shard;   // I/N, or empty
    bool merge = false;  // results of shards instead of wheels
    std::string markdown;
};

struct CoverageOptions {
    ReadingOptions reading;
    std::string wheel;
    std::string arch_list;
    std::vector<std::string> gpus;
};

// One of them is set, by the command that was named; none if help or the version was asked for and printed.
struct Options {
    std::optional<InspectOptions> inspect;
    std::optional<AssertOptions> asserted;
    std::optional<CoverageOptions> coverage;
    std::optional<StampOptions> stamp;
    std::optional<GateOptions> gate;
    std::optional<RecordOptions> record;  // and collect
    std::optional<BackfillOptions> backfill;
    std::optional<ShowOptions> show;
    std::optional<ListOptions> list;
    std::optional<RetireOptions> retire;
    std::optional<LedgerPlace> init;
    std::optional<KeyOptions> key;
    std::optional<MatrixOptions> matrix;
    std::optional<PlanCommandOptions> plan;
    std::optional<LintOptions> lint;
    std::optional<AuditOptions> audit;
    bool action = false;
};

// `arguments` without the program's name. Throws an Error (exit 2) that says what is wrong with them.
Options parse_options(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace wheelarch
