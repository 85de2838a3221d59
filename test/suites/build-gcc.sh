#!/usr/bin/env bash
# GCC builds everything, optimized as in a release, without a warning.
# needs: libcmocka-dev libhttp-parser-dev
# slots: 2
. test/suites/lib.sh

try "gcc" compile "$GCC_BUILD" -Dwerror=true -Dtests=enabled
