#!/usr/bin/env bash
# The unit tests with the address and undefined behaviour sanitizers.
# needs: libcmocka-dev ripgrep
# after: build-asan
exec test/unit/run "$ASAN_BUILD"
