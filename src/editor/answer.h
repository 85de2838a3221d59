/*
 * editor/answer.h - how whoever performs an operation gives the result back.
 *
 * An answer ends exactly once.  A proposal passes two stages: it may be *shown*
 * before it is decided (ended); everything else only ends.
 */
#ifndef DT_EDITOR_ANSWER_H
#define DT_EDITOR_ANSWER_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_answer;

/* How far something is. */
struct dt_progress {
	uint64_t done;
	uint64_t total;      /* 0: not known */
	const char *message; /* or NULL; alone: what is waited for */
};

/* How it ended: `fail` says why there is no result, or is NULL and `result` has
 * the operation's result shape (NULL where that is empty).  Both are lent. */
typedef void dt_answer_fn(struct dt_answer *answer, const void *result,
                          const struct dt_fail *fail, void *owner);

struct dt_answer {
	dt_answer_fn *on_end;
	/* Or NULL.  It does not drop the answer. */
	void (*on_shown)(struct dt_answer *answer, void *owner);
	/* Or NULL.  The same, any number of times; what is passed is lent. */
	void (*on_progress)(struct dt_answer *answer,
	                    const struct dt_progress *progress, void *owner);
	void *owner;
	/* Who asks, for what belongs to whoever made it: the id of a session;
	 * NULL: the person. */
	const char *asker;
	/*
	 * Set by whoever performs, when it takes longer than perform(): called
	 * when nobody waits any more, and then the answer is not touched again.
	 */
	void (*on_drop)(struct dt_answer *answer, void *performer);
	void *performer;
	bool has_ended;
};

void dt_answer_init(struct dt_answer *answer, dt_answer_fn *on_end,
                    void *owner);
void dt_answer_end(struct dt_answer *answer, const void *result);
void dt_answer_fail(struct dt_answer *answer, const struct dt_fail *fail);
void dt_answer_failf(struct dt_answer *answer, enum dt_err code,
                     const char *fmt, ...) DT_PRINTF(3, 4);
void dt_answer_shown(struct dt_answer *answer);
void dt_answer_progress(struct dt_answer *answer,
                        const struct dt_progress *progress);

/* For the owner: nobody waits any more.  Idempotent; on_end is not called. */
void dt_answer_drop(struct dt_answer *answer);

#endif
