/* loop/run.h - a program run for what it prints. */
#ifndef DT_LOOP_RUN_H
#define DT_LOOP_RUN_H

#include "base/err.h"
#include "base/str.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct dt_run;

/* No shell, a process group of its own, and nothing to read but `input`. */
struct dt_run_spec {
	char *const *argv; /* argv[0] is the file; ends with NULL */
	char *const *env;  /* ends with NULL */
	const char *folder;
	struct dt_str input;  /* for its standard input, copied; or none */
	size_t keep_bytes;    /* of each output; what follows is dropped */
	size_t keep_tail;     /* but for so much of its end */
	unsigned deadline_ms; /* 0: none */
	bool ends_group;      /* what it leaves behind in its group is killed */
	/* A pair of `env` by which all that it started is known, also what has
	 * left its group; or NULL. */
	const char *mark;
	/* Or NULL: what it prints, as it comes; the bytes are lent. */
	void (*on_output)(struct dt_run *run, struct dt_str bytes, bool is_err,
	                  void *owner);
};

/* How it ended; the texts are lent. */
struct dt_run_end {
	int code;   /* its exit code; 128 + N when signal N ended it */
	int signal; /* 0: it ended by itself */
	bool is_late;
	struct dt_str out;
	struct dt_str err;
	bool is_out_cut; /* it printed more than was kept */
	bool is_err_cut;
	struct dt_str out_tail; /* the end of what is not in `out` ... */
	struct dt_str err_tail;
	uint64_t out_left; /* ... and the bytes between the two */
	uint64_t err_left;
	unsigned left_running; /* marked processes that live on */
};
typedef void dt_run_fn(struct dt_run *run, const struct dt_run_end *end,
                       void *owner);

/*
 * Start it.  `fn` is called once, in a later turn, when the program has ended
 * and its outputs are read; the run is freed behind it.  When the deadline
 * passes the whole group is asked to end, and killed two seconds later, with
 * whatever bears the mark.  What a program leaves behind in the background is
 * not waited for.  DT_E_MISSING when there is no such program.
 */
enum dt_err dt_run_start(struct dt_loop *loop, const struct dt_run_spec *spec,
                         dt_run_fn *fn, void *owner, struct dt_run **out,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* Nobody wants to know any more: kill the group and what bears the mark; `fn` is
 * not called. */
void dt_run_stop(struct dt_run *run);
/* The same, but it is asked to end first, as when the deadline passes: for
 * programs that have something to put in order. */
void dt_run_quit(struct dt_run *run);

#endif
