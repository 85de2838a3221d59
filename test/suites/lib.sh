# test/suites/lib.sh - sourced by the suites that are shell scripts.
set -u

# try NAME COMMAND...: one test, passed when the command succeeds.
try() {
	local name=$1 status
	shift
	if "$@"; then
		echo "ok $name"
	else
		status=$?
		echo "not ok $name: exit status $status"
		return "$status"
	fi
}

# compile DIR OPTION...: the options count also where DIR exists already.
compile() {
	local dir=$1
	shift
	if [ -f "$dir/build.ninja" ]; then
		meson configure "$dir" "$@"
	else
		meson setup "$dir" "$@"
	fi && ninja -C "$dir"
}
