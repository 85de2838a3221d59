#!/usr/bin/env bash
# The unit tests with the address and undefined behaviour sanitizers.
# needs: libcmocka-dev ripgrep clangd
# npm: yes
# after: build-asan
exec test/unit/run "$ASAN_BUILD"
