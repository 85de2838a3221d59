#!/usr/bin/env bash
# Bad input against a live daemon, and more than it is made for: with sanitizers,
# which find what it breaks, and as it is, which shows what it costs.
# needs: clangd python3
# after: build-asan
# slots: 2
. test/suites/lib.sh

{
	test/abuse/run --name "with sanitizers: " "$ASAN_BUILD/dovetail"
	test/abuse/extremes --name "with sanitizers: " --without-tree \
		"$ASAN_BUILD/dovetail"
} >"$TMPDIR/asan.log" 2>&1 &
test/abuse/run --count 20000 "$BUILD/dovetail"
test/abuse/extremes "$BUILD/dovetail"
test/attack/run --only "not large or slow" "$BUILD/dovetail"
wait $!
status=$?
cat "$TMPDIR/asan.log"
exit $status
