#!/usr/bin/env bash
# test/check itself: a failure of any kind must not look like a success.
. test/suites/lib.sh

tree=$TMPDIR/tree
mkdir -p "$tree/test/suites" "$tree/scripts"
cp test/check "$tree/test"
cp scripts/need "$tree/scripts"

# suite NAME: its body comes from the standard input.
suite() {
	{ echo '#!/bin/bash'; cat; } >"$tree/test/suites/$1.sh"
	chmod +x "$tree/test/suites/$1.sh"
}

# ends STATUS LAST-LINE SUITE...: how a run of these suites ends.
ends() {
	local status=$1 line=$2 output
	shift 2
	output=$("$tree/test/check" "$@" 2>&1)
	[ $? -eq "$status" ] && [ "$(tail -n1 <<<"$output")" = "$line" ] ||
		{ echo "$output"; return 1; }
}

unset CI
suite good <<<'echo "ok one"; echo "ok two"'
suite bad <<<'echo "ok one"; echo "not ok two: a reason"'
suite idle <<<'echo "skip one: a reason"'
suite silent <<<'true'
suite crash <<<'echo "ok one"; kill -SEGV $$'
suite child <<<$'# after: bad\necho "ok one"'
suite hang <<<$'# minutes: 0.02\necho "ok one"; sleep 100'
suite world <<<'[ "$HOME" != / ] && [ -d "$XDG_RUNTIME_DIR" ] &&
	[ -z "${SECRET+x}" ] && [ ! -t 0 ] && echo "ok one"'

try "a success" ends 0 "2 passed, 0 failed" good
try "a failed test" ends 1 "1 passed, 1 failed" bad
try "a skipped test" ends 0 "2 passed, 0 failed, 1 skipped" good idle
CI=true try "a skipped test where CI=true" ends 1 "0 passed, 1 failed" idle
try "a suite without tests" ends 1 "0 passed, 1 failed" silent
try "a suite that crashes" ends 1 "1 passed, 1 failed" crash
try "a suite after one that failed" ends 1 "1 passed, 2 failed" child
try "a suite that hangs" ends 1 "1 passed, 1 failed" hang
SECRET=1 try "a world of its own" ends 0 "1 passed, 0 failed" world
try "an unknown suite" ends 1 \
	"no such suite: none; there are $(cd "$tree/test/suites" &&
		printf '%s, ' *.sh | sed 's/\.sh//g; s/, $//')" none
