#!/usr/bin/env bash
# Clang builds everything, with sanitizers and fuzz targets, without a warning.
# needs: clang libclang-rt-dev libcmocka-dev libhttp-parser-dev llvm
# slots: 2
. test/suites/lib.sh

export CC=clang
try "clang with sanitizers" compile "$ASAN_BUILD" -Dwerror=true \
	-Dtests=enabled -Dfuzz=true -Db_sanitize=address,undefined
