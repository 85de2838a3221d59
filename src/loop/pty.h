/* loop/pty.h - a program in a terminal of its own. */
#ifndef DT_LOOP_PTY_H
#define DT_LOOP_PTY_H

#include "base/err.h"
#include "base/str.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct dt_pty;

struct dt_pty_size {
	unsigned rows;
	unsigned columns;
};

/* The program leads a session whose terminal is the new one. */
struct dt_pty_spec {
	char *const *argv; /* argv[0] is the file; ends with NULL */
	char *const *env;  /* ends with NULL */
	const char *folder;
	struct dt_pty_size size;
	/* A pair of `env` by which all that it started is known, also what has
	 * left the terminal; or NULL. */
	const char *mark;
};

/* How the program ended. */
struct dt_pty_end {
	int code;   /* its exit code; 128 + N when signal N ended it */
	int signal; /* 0: it ended by itself */
};

/*
 * on_read lends what is printed until it returns.  on_closed comes exactly once
 * and last: the program has ended and what it printed is read; the pty is freed
 * behind it.  What it left in the background is not waited for: it loses the
 * terminal, and what bears the mark is killed.
 */
struct dt_pty_events {
	void (*on_read)(struct dt_pty *pty, struct dt_str bytes, void *owner);
	void (*on_closed)(struct dt_pty *pty, const struct dt_pty_end *end,
	                  void *owner);
};

/* Start it.  DT_E_MISSING when there is no such program. */
enum dt_err dt_pty_open(struct dt_loop *loop, const struct dt_pty_spec *spec,
                        const struct dt_pty_events *events, void *owner,
                        struct dt_pty **out,
                        struct dt_fail *fail) DT_MUST_CHECK;

/* Type.  DT_E_LIMIT, and nothing of it was typed, when the program does not read
 * and DT_LIMIT_TYPED bytes wait; DT_E_CLOSED when it has ended. */
enum dt_err dt_pty_write(struct dt_pty *pty, struct dt_str bytes,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* Another size; whoever is in front is told, also when it is the same. */
void dt_pty_resize(struct dt_pty *pty, struct dt_pty_size size);

pid_t dt_pty_pid(const struct dt_pty *pty);
/* Whether what is typed goes to the child, and not to what it runs. */
bool dt_pty_is_in_front(const struct dt_pty *pty);

/* End it: hang up, and kill half a second later what is still there, with all
 * that bears the mark; or kill at once.  on_closed follows.  Idempotent. */
void dt_pty_close(struct dt_pty *pty, bool is_at_once);

#endif
