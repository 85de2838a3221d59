#!/usr/bin/env bash
# A few seconds of `make bench`: that it works, and that ratios which hold by a
# wide margin hold.  No time is held against a clock.
# needs: clangd python3
# npm: yes
# slots: 2
exec test/bench/run --smoke
