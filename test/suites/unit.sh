#!/usr/bin/env bash
# The unit tests as they are.
# needs: libcmocka-dev ripgrep clangd
# npm: yes
# after: build-gcc
exec test/unit/run "$GCC_BUILD"
