/*
 * loop/budget.h - output that waits in memory for those who do not read it.
 *
 * Streams that share a budget may hold so much together.  Whoever wants to take
 * up another message asks first; who may not now is called when it may.
 */
#ifndef DT_LOOP_BUDGET_H
#define DT_LOOP_BUDGET_H

#include "base/list.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_budget;
struct dt_draw;

/* `limit` 0: none, and nobody is cut.  `who` stands in the log, as in "an
 * agent", and is borrowed for good, as is `key`, which says where the limit can
 * be changed, or NULL. */
struct dt_budget *dt_budget_new(struct dt_loop *loop, size_t limit,
                                const char *who, const char *key);
/* All who drew on it have left. */
void dt_budget_free(struct dt_budget *budget);
void dt_budget_set_limit(struct dt_budget *budget, size_t limit);
/* What is held, and what was promised. */
size_t dt_budget_used(const struct dt_budget *budget);
/* A result that is on its way counts before it is there.  Returns what must be
 * given back with dt_budget_redeem() when it is, or nobody wants it. */
size_t dt_budget_promise(struct dt_budget *budget);
void dt_budget_redeem(struct dt_budget *budget, size_t promised);
/* Times for tests: who took nothing for `idle_ms` is cut, and while others wait
 * for room, after `full_ms`. */
void dt_budget_set_patience(struct dt_budget *budget, uint64_t idle_ms,
                            uint64_t full_ms);

/* What is asked of one that draws.  go() comes from the loop, and never inside
 * another call; cut() ends it, and says why. */
struct dt_draw_events {
	/* How much the other side has taken of all that was ever sent. */
	uint64_t (*taken)(const struct dt_draw *draw);
	void (*go)(struct dt_draw *draw);
	void (*cut)(struct dt_draw *draw, const char *why);
};

/* One that draws on a budget; a stream begins with it or holds it. */
struct dt_draw {
	struct dt_budget *budget;
	const struct dt_draw_events *events;
	struct dt_list link;    /* among all that hold something */
	struct dt_list waiting; /* among those that wait for their turn */
	size_t held;            /* bytes of memory */
	unsigned proofs;        /* that it reads */
	uint64_t taken;         /* when that was looked at last */
	uint64_t moved_ms;      /* when it had grown */
};

void dt_draw_init(struct dt_draw *draw, struct dt_budget *budget,
                  const struct dt_draw_events *events);
/* Go over to another budget, with all that is held. */
void dt_draw_move(struct dt_draw *draw, struct dt_budget *budget);
void dt_draw_leave(struct dt_draw *draw);
/* So much is held from now on. */
void dt_draw_hold(struct dt_draw *draw, size_t bytes);
/*
 * Whether another message may be taken up now.  False: go() follows, once.
 * While less than half of the budget is used everybody may; above that, those
 * who have read all that was sent, and for the last quarter, did so for a while;
 * where nothing is left, nobody.  It is also false when this turn of the loop
 * has lasted long enough.
 */
bool dt_draw_may(struct dt_draw *draw);
/* Wait for go(), whatever is left. */
void dt_draw_wait(struct dt_draw *draw);

#endif
