#!/usr/bin/env bash
# What can be said about the source without running it.
# needs: clang clang-format clang-tidy mandoc
# slots: 2
# minutes: 40
. test/suites/lib.sh

# A lint looks at the tree it stands in.  On test/lint/bad/NAME it must find
# exactly what is expected, so that none can pass by looking away.
finds_the_bad() {
	cd "test/lint/bad/$1" && diff -u expected <("$ROOT/test/lint/$1")
}

for lint in layers banned twins sizes map; do
	try "$lint" "test/lint/$lint"
	(try "$lint finds what is bad" finds_the_bad "$lint")
done

fails() {
	! "$@"
}

sources() {
	find src test -name '*.[ch]' -not -path 'test/lint/bad/*'
}
try "clang-format" clang-format --dry-run -Werror $(sources)
try "clang-tidy" test/lint/tidy
try "gcc -fanalyzer" test/lint/analyze
try "gcc -fanalyzer finds what is bad" \
	fails test/lint/analyze test/lint/bad/analyze/bad.c
bad=test/lint/bad/clang/bad.c
try "clang-format finds what is bad" fails clang-format --dry-run -Werror $bad
try "clang-tidy finds what is bad" fails clang-tidy --quiet $bad --
for page in man/*.[1-9]; do
	try "$page" mandoc -Tlint -Wwarning "$page"
done
try "docs/tools.md is fresh" \
	diff -u docs/tools.md <("$BUILD/dovetail" tools --markdown)
