#!/usr/bin/env bash
# An archive without a single file is no wheel that could pass, whatever was declared: nothing to inspect is exit 3.
. "$(dirname "$0")/lib.sh"

printf 'PK\005\006\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >$wheel
expect_exit 3 assert --device-code none --witness native $wheel
expect_exit 3 assert --arch-list 8.0 --witness native $wheel
expect_exit 3 inspect --witness native $wheel
