#!/usr/bin/env bash
# Both compilers build everything without a warning.
# needs: clang libclang-rt-dev libcmocka-dev libhttp-parser-dev llvm
# slots: 2
. test/suites/lib.sh

# compile DIR OPTION...: with the options also when it exists already.
compile() {
	local dir=$1
	shift
	if [ -f "$dir/build.ninja" ]; then
		meson configure "$dir" "$@"
	else
		meson setup "$dir" "$@"
	fi && ninja -C "$dir" -k 0 all meson-test-prereq
}

try "gcc" \
	compile "$GCC_BUILD" -Dwerror=true -Dtests=enabled
export CC=clang
try "clang with sanitizers" \
	compile "$ASAN_BUILD" -Dwerror=true -Dtests=enabled -Dfuzz=true \
	-Db_sanitize=address,undefined
