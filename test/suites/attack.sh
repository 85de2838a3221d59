#!/usr/bin/env bash
# Agents that try what they must not, over every transport: test/attack.
# needs: git python3
# after: build-asan
# minutes: 20

status=0
test/attack/run "$ASAN_BUILD/dovetail" || status=1
# Links are swapped in a race, and this program runs it more often.
test/attack/run --only "links are swapped" "$BUILD/dovetail" || status=1
exit $status
