/*
 * loop/budget.c - memory for output, shared out among those who may not read.
 *
 * A client that asks and never reads makes us hold its answers.  It is not
 * worked for beyond its own water mark, and all together hold no more than the
 * budget and the one answer that was on its way when it was used up.  Where that
 * keeps others waiting, those who have taken nothing for a while are cut, the
 * largest first, until half of the budget is free again.
 *
 * Those who wait are called for a short while in each turn of the loop, so that
 * sockets are looked at in between.
 */
#include "loop/budget.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

#define LOOK_MS 250
#define PROVEN 16 /* messages taken up in a row with nothing left to read */
#define TURN_NS (4u * 1000u * 1000u) /* a turn of the loop, then sockets */

struct dt_budget {
	struct dt_loop *loop;
	const char *who;
	const char *key;
	size_t limit;
	size_t used;
	uint64_t idle_ms;
	uint64_t full_ms;
	struct dt_list holders; /* struct dt_draw by link */
	struct dt_list waiting; /* struct dt_draw by waiting */
	struct dt_timer *look;  /* at who reads; runs while something is held */
	uv_idle_t wake;
	uint64_t turn;    /* of the loop, in which somebody asked last */
	uint64_t turn_ns; /* when it began */
	uint64_t turn_worked_ns;
	bool is_their_turn; /* of those known to read */
};

/* Those who are not known to read may have to wait. */
static bool is_full(const struct dt_budget *b)
{
	return b->limit && b->used >= b->limit / 4 * 3;
}

static bool is_proven(const struct dt_draw *draw)
{
	return draw->held == 0 && draw->proofs >= PROVEN;
}

/* Whether there is room for one more answer to this one.  The last quarter is
 * for those who are known to read: many who never do would fill it before they
 * are found out, and the others would wait for that. */
static bool has_room(const struct dt_draw *draw)
{
	const struct dt_budget *b = draw->budget;

	if (!b->limit || b->used < b->limit / 2)
		return true;
	if (draw->held > 0 || b->used >= b->limit)
		return false;
	return b->used < b->limit / 4 * 3 || is_proven(draw);
}

/* What this thread has worked; on a busy machine that is less than the time that
 * has passed, and all would wait for nothing. */
static uint64_t worked_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void begin_turn(struct dt_budget *b)
{
	b->turn_ns = dt_clock_ns();
	b->turn_worked_ns = worked_ns();
}

/* One who asks much in one read must not keep all others from being read. */
static bool is_turn_over(struct dt_budget *b)
{
	uint64_t turn = dt_loop_turn(b->loop);

	if (turn != b->turn) {
		b->turn = turn;
		begin_turn(b);
	}
	return dt_clock_ns() - b->turn_ns > TURN_NS &&
	       worked_ns() - b->turn_worked_ns > TURN_NS;
}

/* waiting */

/* In the order of their coming, but every other time those known to read go
 * before the rest. */
static struct dt_draw *first_ready(struct dt_budget *b)
{
	struct dt_draw *first = NULL;

	dt_list_each(draw, &b->waiting, struct dt_draw, waiting) {
		if (!has_room(draw))
			continue;
		if (b->is_their_turn && is_proven(draw))
			return draw;
		if (!first)
			first = draw;
	}
	return first;
}

static void on_wake(uv_idle_t *uv);

static void wake_soon(struct dt_budget *b)
{
	if (!uv_is_active((uv_handle_t *)&b->wake) && first_ready(b))
		uv_idle_start(&b->wake, on_wake);
}

/* For a while in each turn of the loop, and then sockets are looked at. */
static void on_wake(uv_idle_t *uv)
{
	struct dt_budget *b = uv->data;
	struct dt_draw *draw = first_ready(b);

	if (!draw)
		uv_idle_stop(uv);
	b->turn = dt_loop_turn(b->loop);
	begin_turn(b);
	for (; draw && !is_turn_over(b); draw = first_ready(b)) {
		dt_list_remove(&draw->waiting);
		b->is_their_turn = !b->is_their_turn;
		draw->events->go(draw);
	}
}

void dt_draw_wait(struct dt_draw *draw)
{
	if (dt_list_is_empty(&draw->waiting))
		dt_list_append(&draw->budget->waiting, &draw->waiting);
	wake_soon(draw->budget);
}

bool dt_draw_may(struct dt_draw *draw)
{
	if (has_room(draw) && !is_turn_over(draw->budget)) {
		draw->proofs = draw->held ? 0 : draw->proofs + 1;
		return true;
	}
	dt_draw_wait(draw);
	return false;
}

/* who does not read */

static void cut(struct dt_draw *draw, uint64_t silent_ms)
{
	struct dt_budget *b = draw->budget;
	char why[200];

	snprintf(why, sizeof(why),
	         "%.1f MiB of output wait and it has read nothing for %u s",
	         (double)draw->held / DT_MIB, (unsigned)(silent_ms / 1000));
	dt_log(DT_LOG_WARN, "%s that does not read was cut: %s%s%s%s", b->who,
	       why, b->key && is_full(b) ? " (" : "",
	       b->key && is_full(b) ? b->key : "",
	       b->key && is_full(b) ? " is used up)" : "");
	draw->events->cut(draw, why);
}

static void note_move(struct dt_draw *draw, uint64_t now)
{
	uint64_t taken = draw->events->taken(draw);

	if (taken != draw->taken)
		draw->moved_ms = now;
	draw->taken = taken;
}

/* The largest that has taken nothing for so long; or NULL. */
static struct dt_draw *find_silent(struct dt_budget *b, uint64_t now,
                                   uint64_t ms)
{
	struct dt_draw *worst = NULL;

	dt_list_each(draw, &b->holders, struct dt_draw, link) {
		if (now - draw->moved_ms >= ms &&
		    (!worst || draw->held > worst->held))
			worst = draw;
	}
	return worst;
}

static void cut_silent(struct dt_budget *b, uint64_t now, uint64_t ms,
                       size_t enough)
{
	struct dt_draw *draw;

	while (b->used >= enough && (draw = find_silent(b, now, ms)))
		cut(draw, now - draw->moved_ms);
}

static void on_look(struct dt_timer *timer, void *owner)
{
	struct dt_budget *b = owner;
	uint64_t now = dt_clock_ms();

	dt_list_each(draw, &b->holders, struct dt_draw, link)
		note_move(draw, now);
	if (b->limit) {
		cut_silent(b, now, b->idle_ms, 0);
		if (is_full(b) && !dt_list_is_empty(&b->waiting))
			cut_silent(b, now, b->full_ms, b->limit / 2);
	}
	if (dt_list_is_empty(&b->holders))
		dt_timer_stop(timer);
}

/* holding */

static void count(struct dt_budget *b, size_t before, size_t after)
{
	assert(b->used >= before);
	b->used = b->used - before + after;
	if (after < before)
		wake_soon(b);
}

void dt_draw_hold(struct dt_draw *draw, size_t bytes)
{
	struct dt_budget *b = draw->budget;
	size_t before = draw->held;

	if (bytes == before)
		return;
	draw->held = bytes;
	if (!bytes) {
		dt_list_remove(&draw->link);
	} else if (!before) {
		draw->taken = draw->events->taken(draw);
		draw->moved_ms = dt_clock_ms();
		dt_list_append(&b->holders, &draw->link);
		if (!dt_timer_is_running(b->look))
			dt_timer_repeat(b->look, LOOK_MS);
	}
	count(b, before, bytes);
}

size_t dt_budget_promise(struct dt_budget *b)
{
	if (!b)
		return 0;
	count(b, 0, DT_LIMIT_RESULT_PROMISED);
	return DT_LIMIT_RESULT_PROMISED;
}

void dt_budget_redeem(struct dt_budget *b, size_t promised)
{
	if (b)
		count(b, promised, 0);
}

/* life */

void dt_draw_init(struct dt_draw *draw, struct dt_budget *budget,
                  const struct dt_draw_events *events)
{
	*draw = (struct dt_draw){ .budget = budget, .events = events };
	dt_list_init(&draw->link);
	dt_list_init(&draw->waiting);
}

void dt_draw_move(struct dt_draw *draw, struct dt_budget *budget)
{
	bool was_waiting = !dt_list_is_empty(&draw->waiting);
	size_t held = draw->held;

	dt_draw_leave(draw);
	draw->budget = budget;
	dt_draw_hold(draw, held);
	if (was_waiting)
		dt_draw_wait(draw);
}

void dt_draw_leave(struct dt_draw *draw)
{
	dt_draw_hold(draw, 0);
	dt_list_remove(&draw->waiting);
}

struct dt_budget *dt_budget_new(struct dt_loop *loop, size_t limit,
                                const char *who, const char *key)
{
	struct dt_budget *b = dt_alloc(sizeof(*b));

	b->loop = loop;
	b->who = who;
	b->key = key;
	b->limit = limit;
	b->turn = UINT64_MAX;
	dt_list_init(&b->holders);
	dt_list_init(&b->waiting);
	dt_budget_set_patience(b, DT_LIMIT_UNREAD_MS, DT_LIMIT_UNREAD_FULL_MS);
	b->look = dt_timer_new(loop, on_look, b);
	dt_timer_set_background(b->look);
	uv_idle_init(dt_loop_uv(loop), &b->wake);
	b->wake.data = b;
	return b;
}

static void on_freed(uv_handle_t *uv)
{
	free(uv->data);
}

void dt_budget_free(struct dt_budget *b)
{
	if (!b)
		return;
	dt_timer_free(b->look);
	uv_close((uv_handle_t *)&b->wake, on_freed);
}

void dt_budget_set_limit(struct dt_budget *b, size_t limit)
{
	b->limit = limit;
	wake_soon(b);
}

size_t dt_budget_used(const struct dt_budget *b)
{
	return b->used;
}

void dt_budget_set_patience(struct dt_budget *b, uint64_t idle_ms,
                            uint64_t full_ms)
{
	b->idle_ms = idle_ms;
	b->full_ms = full_ms;
}
