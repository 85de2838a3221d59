#!/usr/bin/env bash
# The unit tests as they are.
# needs: libcmocka-dev
# after: build-gcc
exec test/unit/run "$GCC_BUILD"
