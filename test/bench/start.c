/*
 * bench-start DIR COMMAND... - how long until a file appears in DIR.
 *
 * Prints the nanoseconds from starting the command to the first whole *.lock in
 * DIR, then ends the command.  The file counts when it was moved there or its
 * writer closed it.
 */
#include "base/clock.h"
#include "base/str.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 10000

static bool has_lock(const char *events, size_t len)
{
	size_t at = 0;

	while (at < len) {
		const struct inotify_event *event =
			(const struct inotify_event *)(events + at);
		struct dt_str name = dt_str(event->len ? event->name : "");

		if (name.len > 5 && !strcmp(name.ptr + name.len - 5, ".lock"))
			return true;
		at += sizeof(*event) + event->len;
	}
	return false;
}

static bool wait_for_lock(int watch)
{
	_Alignas(struct inotify_event) char events[4096];
	struct pollfd poller = { .fd = watch, .events = POLLIN };

	while (poll(&poller, 1, PATIENCE_MS) == 1) {
		ssize_t n = read(watch, events, sizeof(events));

		if (n > 0 && has_lock(events, (size_t)n))
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	int watch = inotify_init1(IN_CLOEXEC);
	uint64_t began;
	bool is_there;
	pid_t pid;

	if (argc < 3 || inotify_add_watch(watch, argv[1],
	                                  IN_MOVED_TO | IN_CLOSE_WRITE) < 0) {
		fprintf(stderr, "usage: bench-start DIR COMMAND...\n");
		return 2;
	}
	began = dt_clock_ns();
	if (posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ)) {
		fprintf(stderr, "%s cannot be started\n", argv[2]);
		return 1;
	}
	is_there = wait_for_lock(watch);
	printf("%llu\n", (unsigned long long)(dt_clock_ns() - began));
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	return is_there ? 0 : 1;
}
