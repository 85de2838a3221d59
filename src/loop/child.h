/* loop/child.h - a program beside the daemon that is talked with. */
#ifndef DT_LOOP_CHILD_H
#define DT_LOOP_CHILD_H

#include "base/err.h"
#include "base/str.h"
#include "loop/loop.h"
#include "loop/stream.h"

#include <sys/types.h>

struct dt_child;

/* No shell, and a process group of its own. */
struct dt_child_spec {
	char *const *argv; /* argv[0] is the file; ends with NULL */
	char *const *env;  /* ends with NULL */
	const char *folder;
};

/* How it ended.  `errors` is the end of what it wrote to its standard error,
 * whole lines, and lent. */
struct dt_child_end {
	int code;   /* its exit code; 128 + N when signal N ended it */
	int signal; /* 0: it ended by itself */
	struct dt_str errors;
};
typedef void dt_child_fn(struct dt_child *child, const struct dt_child_end *end,
                         void *owner);

/*
 * Start it.  `fn` comes once, in a later turn, when the program has ended; what
 * is left of its group is killed before, and the child is freed behind it.
 * DT_E_MISSING when there is no such program.
 */
enum dt_err dt_child_start(struct dt_loop *loop,
                           const struct dt_child_spec *spec, dt_child_fn *fn,
                           void *owner, struct dt_child **out,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* Its standard input and output, for the caller to start, once, before the loop
 * turns; the stream lives by itself from then on. */
struct dt_stream *dt_child_stream(struct dt_child *child);

pid_t dt_child_pid(const struct dt_child *child);

/* Ask the group to end, and kill it two seconds later; `fn` tells. */
void dt_child_end(struct dt_child *child);
/* The same when nobody wants to know any more: `fn` does not come. */
void dt_child_stop(struct dt_child *child);

#endif
