/*
 * link/link_lasting.c - a link that outlives the one below it.
 *
 * Messages pass through while there is an inner link, and wait while there is
 * none.  How to come by another one is the owner's affair.  What a lost link had
 * taken is not sent again: whether it arrived is not known here.
 *
 * Invariant: at most one link below has `inner_events`; one that was replaced is
 * deaf until its end.
 */
#include "link/link.h"

#include "base/limits.h"
#include "base/list.h"

#include <assert.h>
#include <stdlib.h>

/* One message that waits. */
struct waiting {
	struct dt_list link;
	char *text;
	size_t len;
};

struct lasting_link {
	struct dt_link link;   /* first: a dt_link * is a lasting_link * */
	struct dt_link *inner; /* NULL: it was lost */
	struct dt_list waiting;
	size_t waiting_bytes;
	struct dt_timer *timer; /* the time of grace; when closing, the end */
	uint64_t grace_ms;
	dt_link_lost_fn *on_lost;
	void *lost_owner;
	struct dt_fail why; /* of the last loss */
	bool is_closing;
};

static struct lasting_link *of(struct dt_link *link)
{
	return (struct lasting_link *)link;
}

static void free_waiting(struct lasting_link *l, struct waiting *w)
{
	dt_list_remove(&w->link);
	l->waiting_bytes -= w->len + DT_WS_HEAD;
	free(w->text);
	free(w);
}

static void finish(struct lasting_link *l)
{
	l->is_closing = true;
	dt_link_deliver_end(&l->link, &l->why);
	dt_list_each(w, &l->waiting, struct waiting, link)
		free_waiting(l, w);
	dt_timer_free(l->timer);
	free(l);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	(void)timer;
	finish(owner);
}

/* below */

static void on_inner_message(struct dt_link *inner, struct dt_str message,
                             void *owner)
{
	struct lasting_link *l = owner;

	(void)inner;
	dt_link_deliver(&l->link, message);
}

static void on_inner_closed(struct dt_link *inner, const struct dt_fail *why,
                            void *owner)
{
	struct lasting_link *l = owner;

	(void)inner;
	l->inner = NULL;
	l->why = *why;
	if (l->is_closing) {
		finish(l);
		return;
	}
	dt_timer_start(l->timer, l->grace_ms);
	if (l->on_lost)
		l->on_lost(&l->link, why, l->lost_owner);
}

static const struct dt_link_events inner_events = {
	.on_message = on_inner_message,
	.on_closed = on_inner_closed,
};

static void ignore_message(struct dt_link *inner, struct dt_str message,
                           void *owner)
{
	(void)inner;
	(void)message;
	(void)owner;
}

static void ignore_end(struct dt_link *inner, const struct dt_fail *why,
                       void *owner)
{
	(void)inner;
	(void)why;
	(void)owner;
}

static const struct dt_link_events deaf_events = {
	.on_message = ignore_message,
	.on_closed = ignore_end,
};

/* Nothing it says counts any more; it frees itself at its end. */
static void retire(struct dt_link *inner)
{
	inner->events = &deaf_events;
	inner->owner = NULL;
	dt_link_close(inner, DT_LINK_DONE, "another connection took over");
}

/* the carrier */

static void start(struct dt_link *link)
{
	dt_link_start(of(link)->inner, &inner_events, link);
}

/* One message may be as large as any; a frame's head is counted, so that all of
 * it fits the queue it goes to. */
static void keep(struct lasting_link *l, struct dt_str message)
{
	size_t bytes = message.len + DT_WS_HEAD;
	struct waiting *w;

	if (l->waiting_bytes && l->waiting_bytes + bytes > DT_LIMIT_AWAY) {
		l->why = (struct dt_fail){ 0 };
		dt_fail(&l->why, DT_E_LIMIT,
		        "%u MiB of output wait and the peer does not return",
		        DT_LIMIT_AWAY / DT_MIB);
		l->is_closing = true;
		dt_timer_start(l->timer, 0);
		return;
	}
	w = dt_alloc(sizeof(*w));
	w->text = dt_strndup(message.ptr, message.len);
	w->len = message.len;
	l->waiting_bytes += bytes;
	dt_list_append(&l->waiting, &w->link);
}

static void send_on(struct dt_link *link, struct dt_str message)
{
	struct lasting_link *l = of(link);

	if (l->is_closing)
		return;
	if (l->inner)
		dt_link_send(l->inner, message);
	else
		keep(l, message);
}

static void close_lasting(struct dt_link *link, enum dt_link_end end,
                          const char *reason)
{
	struct lasting_link *l = of(link);

	if (l->is_closing)
		return;
	l->is_closing = true;
	if (l->inner)
		dt_link_close(l->inner, end, reason);
	else
		dt_timer_start(l->timer, 0);
}

static bool is_clogged(struct dt_link *link)
{
	struct lasting_link *l = of(link);

	return !l->inner || dt_link_is_clogged(l->inner);
}

/* is_utf8 would have to hold for every link that ever comes. */
static const struct dt_link_carrier carrier = {
	.name = "lasting",
	.start = start,
	.send = send_on,
	.close = close_lasting,
	.is_clogged = is_clogged,
};

struct dt_link *dt_link_lasting_new(struct dt_link *inner, uint64_t grace_ms,
                                    dt_link_lost_fn *on_lost, void *owner)
{
	struct lasting_link *l = dt_alloc(sizeof(*l));

	l->link.carrier = &carrier;
	l->link.loop = inner->loop;
	l->inner = inner;
	l->grace_ms = grace_ms;
	l->on_lost = on_lost;
	l->lost_owner = owner;
	dt_list_init(&l->waiting);
	l->timer = dt_timer_new(inner->loop, on_timer, l);
	return &l->link;
}

void dt_link_lasting_resume(struct dt_link *link, struct dt_link *inner)
{
	struct lasting_link *l = of(link);

	assert(link->events); /* it was started */
	if (l->is_closing) {
		retire(inner);
		return;
	}
	dt_timer_stop(l->timer);
	if (l->inner)
		retire(l->inner);
	l->inner = inner;
	dt_list_each(w, &l->waiting, struct waiting, link) {
		dt_link_send(inner, (struct dt_str){ w->text, w->len });
		free_waiting(l, w);
	}
	dt_link_start(inner, &inner_events, l);
}

bool dt_link_lasting_is_away(const struct dt_link *link)
{
	return !((const struct lasting_link *)link)->inner;
}

struct dt_link *dt_link_lasting_peek(struct dt_link *link)
{
	return of(link)->inner;
}
