#!/usr/bin/env bash
# What editors must know about code: the operations of test/backend, performed by
# the headless editor with real language servers.  test/suites/backend.sh BUILD
# NAME... runs some by hand, with the servers on PATH; those of servers that are
# not there are skipped.  BACKEND_TABLE=1 prints a table of what was seen working.
# needs: clangd python3-pylsp
# npm: yes
# after: build-asan
# minutes: 10
set -u

build=${1:-$ASAN_BUILD}
shift $(($# > 0))
[ $# -gt 0 ] || set -- c flags python pylsp typescript mixed bash yaml json css html
if [ -n "${NPM_DIR:-}" ]; then
	PATH=$(dirname "$NODE"):$NPM_DIR/node_modules/.bin:$PATH
fi
export PATH
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
status=0

# What a file of cases says of itself: head NAME KEY
head_of() {
	sed -n "s/^# $2: //p" "test/backend/$1.cases"
}

for name; do
	server=$(head_of "$name" server)
	if [ -n "$server" ] && ! command -v "$server" >/dev/null; then
		echo "skip $name.cases: $server is not installed"
		continue
	fi
	fixture=$(head_of "$name" fixture)
	root=$copy/$name
	cp -r "test/fixtures/${fixture:-$name}" "$root"
	# A compilation database has absolute paths.
	if [ -f "$root/compile_commands.json.in" ]; then
		sed "s|@ROOT@|$root|" "$root/compile_commands.json.in" \
			>"$root/compile_commands.json"
	fi
	BACKEND_OFF=$(head_of "$name" off) "$build/test/backend-suite" "$root" \
		"test/backend/$name.cases" | tee "$copy/$name.log"
	[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
done
[ -z "${BACKEND_TABLE:-}" ] || test/backend/table "$copy"/*.log
exit $status
