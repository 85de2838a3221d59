#!/usr/bin/env bash
# Clang builds everything, with sanitizers and fuzz targets, without a warning.
# needs: clang-19 libclang-rt-19-dev libcmocka-dev libhttp-parser-dev llvm-19
# slots: 2
. test/suites/lib.sh

# Older sanitizers of Debian 12 need seconds for every exit on arm64.
export CC=clang-19
try "clang with sanitizers" compile "$ASAN_BUILD" -Dwerror=true \
	-Dtests=enabled -Dfuzz=true -Db_sanitize=address,undefined
