#!/usr/bin/env bash
# The official conformance suite of MCP against our server: test/conformance.
# npm: yes
# after: build-asan
exec "$NODE" test/conformance/run.mjs "$ASAN_BUILD"
