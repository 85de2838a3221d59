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
# A program that is called as ours is, in a session of its own.
cp "$(command -v sleep)" "$TMPDIR/dovetail"
suite stray <<<"echo \"ok one\"; setsid $TMPDIR/dovetail 100 >/dev/null 2>&1 &"
# One without an environment is known by the files that it holds.
suite bare <<<"echo \"ok one\"
	env -i setsid $TMPDIR/dovetail 101 >\"\$HOME/file\" 2>/dev/null &"
suite ending <<<"echo \"ok one\"; setsid $TMPDIR/dovetail 1 >/dev/null 2>&1 &"

# gone SECONDS: no such program sleeps that long any more.
gone() {
	! grep -zqx "$1" $(grep -lzx "$TMPDIR/dovetail" /proc/[0-9]*/cmdline) \
		</dev/null 2>/dev/null
}

try "a success" ends 0 "2 passed, 0 failed" good
try "a failed test" ends 1 "1 passed, 1 failed" bad
try "a skipped test" ends 0 "2 passed, 0 failed, 1 skipped" good idle
CI=true try "a skipped test where CI=true" ends 1 "0 passed, 1 failed" idle
try "a suite without tests" ends 1 "0 passed, 1 failed" silent
try "a suite that crashes" ends 1 "1 passed, 1 failed" crash
try "a suite after one that failed" ends 1 "1 passed, 2 failed" child
try "a suite that hangs" ends 1 "1 passed, 1 failed" hang
SECRET=1 try "a world of its own" ends 0 "1 passed, 0 failed" world
try "a daemon that outlives its suite" ends 1 "1 passed, 1 failed" stray
try "that daemon is ended" gone 100
try "a daemon without an environment" ends 1 "1 passed, 1 failed" bare
try "that daemon is ended too" gone 101
try "a daemon that is about to end" ends 0 "1 passed, 0 failed" ending
try "an unknown suite" ends 1 \
	"no such suite: none; there are $(cd "$tree/test/suites" &&
		printf '%s, ' *.sh | sed 's/\.sh//g; s/, $//')" none
