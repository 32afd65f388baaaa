#!/usr/bin/env bash
# The shared small files with known content hold what their README says.
. "$(dirname "$0")/lib.sh"
samples=$root/../shared/samples
[ -d "$samples" ] || skip "no ../shared/samples"
need_cuobjdump

holds() { # holds FILE REGIONS ARCHS WITNESS...
  local file=$1 regions=$2 archs=$3
  shift 3
  for witness in "$@"; do
    expect_exit 0 inspect --witness "$witness" --cuobjdump "$cuobjdump" --json report.json "$samples/$file"
    expect_line out "  holds     $archs"
    check_json report.json "d['files'][0].get('regions') == $regions"
  done
}
holds five_archs_ptx90.so 2 "sm_75 sm_80 sm_86 sm_89 sm_90 compute_90" native both
holds zstd_80_90_ptx90.so 1 "sm_80 sm_90 compute_90" native both
holds lz4_80_90_ptx90.so 1 "sm_80 sm_90 compute_90" native both
holds sm_90a.so 1 "sm_90a" native both
holds ptx_80_90a_only.so 1 "compute_80 compute_90a" native both
holds one_tu_narrow.so 2 "sm_75 sm_80 sm_90" native both
holds host_only.so 0 "nothing" native both
holds archive_80_90.a 2 "sm_80 sm_90" native both
holds bare_80_90.fatbin 1 "sm_80 sm_90" native both
holds bare_90a.cubin 1 "sm_90a" native both
holds bare_86.ptx 1 "compute_86" native auto

expect_exit 3 inspect --witness native "$samples/cut_short.so"
expect_same err "standard error" <<'EOT'
error: cut_short.so → offset OFFSET: the section header table needs 64 bytes here, but the data ends at 0xbb8
    fix: the file is cut short or damaged: build or download it again
EOT
