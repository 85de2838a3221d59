#!/usr/bin/env bash
# The real Claude Code CLI against the real daemon: test/e2e/claude.
# test/suites/e2e-claude.sh [--list] [SCENARIO...] plays some by hand.
# needs: tmux git clangd shellcheck
# npm: yes
# slots: 2
set -eu
cd "$(dirname "$0")/../.."
chosen=${CLAUDE_BIN:-}
if [ -z "${NODE:-}" ]; then
	eval "$(test/npm/install)"
fi
export NPM_DIR CLAUDE_BIN="${chosen:-$CLAUDE_BIN}"
export DOVETAIL="${DOVETAIL:-${BUILD:-build}/dovetail}"
exec "$NODE" test/e2e/claude/run-scenario.mjs "$@"
