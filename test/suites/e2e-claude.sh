#!/usr/bin/env bash
# The real Claude Code CLI against the real daemon: test/e2e/claude.
# needs: tmux git
# slots: 2
#
#     test/suites/e2e-claude.sh [--list] [SCENARIO...]
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
export DOVETAIL=${DOVETAIL:-$top/build/dovetail}
export ARTIFACTS=${ARTIFACTS:-$top/.cache/check/e2e-claude}
exec "${NODE:-node}" "$top/test/e2e/claude/run-scenario.mjs" "$@"
