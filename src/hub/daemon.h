/* hub/daemon.h - the daemon process and the parent that keeps it alive. */
#ifndef DT_HUB_DAEMON_H
#define DT_HUB_DAEMON_H

#include <stdbool.h>

struct dt_daemon_options {
	const char *workspace; /* folder to serve at once; NULL: none */
	bool is_named;         /* --workspace was given: take it as it is */
	unsigned port;         /* 0: the workspace's own */
	const char *record;    /* folder for transcripts; NULL: none */
	int ready_fd; /* -1, or where one line is written when it serves or failed */
	const char *next;   /* what to tell the person to type then */
	bool is_background; /* log to the file, not to stderr */
};

/*
 * Become the daemon: take the lock of the run directory, then run the daemon in
 * a child and start it again when it crashes (at once, then after 1, 2, 4 ... s;
 * five times in a minute is enough).  SIGINT and SIGTERM end both.  Returns an
 * exit code.  The line on ready_fd is "ok" or "error SENTENCE".
 */
int dt_daemon_run(const struct dt_daemon_options *options);

#endif
