#!/usr/bin/env bash
# Agents that try what they must not, over every transport: test/attack.
# needs: git python3
# after: build-asan
# minutes: 20
exec test/attack/run "$ASAN_BUILD/dovetail"
