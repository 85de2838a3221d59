#!/usr/bin/env bash
# Transcripts: what agents say, what a person does, and what comes of it.
# needs: python3
# after: build-asan
. test/suites/lib.sh

test/script/replay --dovetail "$ASAN_BUILD/dovetail" \
	test/script/claude-code/*.txt

# What a daemon recorded is played again, to another daemon.
recorded=(handshake errors two-agents-equal-ids open-diff-several
	open-diff-orphaned open-diff-stopped selection mention)
for name in "${recorded[@]}"; do
	test/script/replay --dovetail "$BUILD/dovetail" --twice \
		"test/script/claude-code/$name.txt"
done

# A transcript that is wrong must not pass, in whatever way it is.
fails() {
	! PATIENCE=1 test/script/replay --dovetail "$BUILD/dovetail" "$1" |
		sed 's/^/| /'
}
set -o pipefail
for transcript in test/script/bad/*.txt; do
	try "finds what is wrong in $transcript" fails "$transcript"
done
