#!/usr/bin/env bash
# What editors must know about code: the operations of test/backend, performed by
# the headless editor with real language servers.  test/suites/backend.sh BUILD
# NAME... runs some by hand, with the servers on PATH.
# needs: clangd
# npm: yes
# after: build-asan
# minutes: 10
set -u

build=${1:-$ASAN_BUILD}
shift $(($# > 0))
[ $# -gt 0 ] || set -- c flags python typescript mixed
if [ -n "${NPM_DIR:-}" ]; then
	PATH=$(dirname "$NODE"):$NPM_DIR/node_modules/.bin:$PATH
fi
export PATH
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
status=0
for name; do
	root=$copy/$name
	cp -r "test/fixtures/$name" "$root"
	# A compilation database has absolute paths.
	if [ -f "$root/compile_commands.json.in" ]; then
		sed "s|@ROOT@|$root|" "$root/compile_commands.json.in" \
			>"$root/compile_commands.json"
	fi
	"$build/test/backend-suite" "$root" "test/backend/$name.cases" ||
		status=1
done
exit $status
