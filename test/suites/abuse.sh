#!/usr/bin/env bash
# Bad input against a live daemon: with sanitizers, which find what it breaks,
# and as it is, which shows what it costs.
# needs: python3
# after: build-asan
# slots: 2
. test/suites/lib.sh

test/abuse/run --name "with sanitizers: " "$ASAN_BUILD/dovetail" \
	>"$TMPDIR/asan.log" 2>&1 &
test/abuse/run --count 20000 "$BUILD/dovetail"
wait $!
status=$?
cat "$TMPDIR/asan.log"
exit $status
