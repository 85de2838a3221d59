#!/usr/bin/env bash
# Each fuzz target for FUZZ_SECONDS, beginning with its corpus.  An input that
# breaks it is kept beside the log; once fixed, it belongs to the corpus.
# needs: clang-19 libclang-rt-19-dev llvm-19
# after: build-asan
. test/suites/lib.sh

# fuzz NAME: what it discovers goes to a scratch folder, the first one named.
fuzz() {
	local found=$TMPDIR/$1 options=()
	mkdir "$found"
	[ -f "test/fuzz/$1.dict" ] && options=("-dict=test/fuzz/$1.dict")
	"$ASAN_BUILD/test/fuzz/fuzz_$1" "${options[@]}" \
		-max_total_time="${FUZZ_SECONDS:-20}" -timeout=10 \
		-print_final_stats=1 -artifact_prefix=".cache/check/fuzz-$1-" \
		"$found" "test/fuzz/corpus/$1"
}

for target in "$ASAN_BUILD"/test/fuzz/fuzz_*[a-z0-9]; do
	[ -f "$target" ] || continue
	name=${target##*/fuzz_}
	try "$name" fuzz "$name"
done
