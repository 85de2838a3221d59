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
		echo "not ok $name: exit status $status of: $*"
		return "$status"
	fi
}
