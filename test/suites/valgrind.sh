#!/usr/bin/env bash
# The daemon under valgrind: no bad access, and nothing lost when it stops.
# needs: python3 valgrind
# after: build-gcc
. test/suites/lib.sh

# play NAME...: transcripts.  The parent process forks the daemon, so there
# is a log for each; a fault makes the exit status 99.
play() {
	local name files=()
	for name; do
		files+=("test/script/claude-code/$name.txt")
	done
	PATIENCE=60 test/script/replay --dovetail "$GCC_BUILD/dovetail" \
		--under "valgrind --quiet --leak-check=full
			--show-leak-kinds=definite,indirect,possible
			--errors-for-leak-kinds=definite,indirect,possible
			--error-exitcode=99 --child-silent-after-fork=no
			--log-file=$TMPDIR/valgrind.%p" \
		"${files[@]}"
}

# Lines with == are its findings; with -- it tells of system calls it does not
# know, where our fallbacks are tried.
says_nothing() {
	! grep -h '^==' "$TMPDIR"/valgrind.*
}

play handshake handshake-refused errors cancelled two-agents-equal-ids \
	open-file open-files open-diff-accepted open-diff-edited \
	open-diff-rejected open-diff-new-file open-diff-withdrawn \
	open-diff-orphaned open-diff-stopped close-all-diff-tabs \
	selection selection-waits mention mention-waits control
try "valgrind has nothing to say" says_nothing
