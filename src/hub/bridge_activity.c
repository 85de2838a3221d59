/*
 * hub/bridge_activity.c - what happened, for agents.
 *
 * An agent hears of its own workspace and of the daemon, not of the person's
 * other projects.  A wait is a question that is asked again whenever something
 * was kept, until it has an answer or its time is over.
 */
#include "hub/bridge.h"

#include "base/clock.h"
#include "hub/activity.h"

#include <stdlib.h>

#define LAST 50 /* entries, unless told */

/* One question on its way to the store and back. */
struct question {
	struct dt_workspace *ws;
	struct dt_answer *answer; /* NULL: nobody waits any more */
	bool has_stats;
	/* those that wait */
	struct dt_activity_watch watch;
	struct dt_timer *deadline; /* NULL: it does not wait */
	int64_t since_id;
	bool has_since;
	bool is_asking;
	size_t max;
	char *without;
};

static void free_question(struct question *q)
{
	dt_activity_unwatch(&q->watch);
	dt_timer_free(q->deadline);
	free(q->without);
	free(q);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct question *q = performer;

	(void)answer;
	q->answer = NULL;
	if (!q->is_asking)
		free_question(q);
}

static struct question *new_question(struct dt_workspace *ws,
                                     struct dt_answer *answer)
{
	struct question *q = dt_alloc(sizeof(*q));

	q->ws = ws;
	q->answer = answer;
	dt_list_init(&q->watch.link);
	answer->on_drop = on_drop;
	answer->performer = q;
	return q;
}

static void list_items(struct dt_arena *arena,
                       const struct dt_activity_list *list,
                       struct dt_items *out)
{
	struct dt_activity_item *items =
		dt_arena_alloc(arena, (list->count + 1) * sizeof(*items));

	for (size_t i = 0; i < list->count; i++) {
		const struct dt_activity_record *r = &list->records[i];
		char *at = dt_arena_alloc(arena, DT_CLOCK_TEXT);

		dt_clock_format(r->at_ms, at);
		items[i] = (struct dt_activity_item){
			.id = r->id,
			.at = at,
			.kind = dt_activity_kinds[r->kind],
			.what = r->what,
			.status = r->status,
			.session = dt_bridge_short_id(arena, r->session),
			.agent = r->agent,
			.took_us = r->took_us,
			.message = r->message,
		};
	}
	*out = (struct dt_items){ items, list->count };
}

static void list_stats(const struct dt_metrics *metrics, struct dt_arena *arena,
                       struct dt_items *out)
{
	struct dt_activity_stat *stats = dt_arena_alloc(
		arena, (metrics->tool_count + 1) * sizeof(*stats));

	for (size_t i = 0; i < metrics->tool_count; i++) {
		const struct dt_tool_metric *m = &metrics->tools[i];

		stats[i] = (struct dt_activity_stat){
			.tool = m->tool->name,
			.calls = (int64_t)dt_tool_metric_calls(m),
			.failed = (int64_t)dt_tool_metric_failed(m),
			.p50_us = (int64_t)dt_tool_metric_quantile(m, 0.5),
			.p95_us = (int64_t)dt_tool_metric_quantile(m, 0.95),
		};
	}
	*out = (struct dt_items){ stats, metrics->tool_count };
}

/* End the question with what there is. */
static void reply(struct question *q, const struct dt_activity_list *list,
                  int64_t last_id)
{
	struct dt_activity_result result = {
		.count = (uint32_t)list->count,
		.last_id = last_id,
		.is_late = q->deadline && list->count == 0,
	};
	struct dt_answer *answer = q->answer;
	struct dt_arena arena = { 0 };

	list_items(&arena, list, &result.entries);
	if (q->has_stats)
		list_stats(&q->ws->metrics, &arena, &result.stats);
	free_question(q);
	dt_answer_end(answer, &result);
	dt_arena_done(&arena);
}

static void refuse(struct question *q, const struct dt_fail *fail)
{
	struct dt_answer *answer = q->answer;

	free_question(q);
	dt_answer_fail(answer, fail);
}

/* the log */

static void on_list(struct dt_store *store, const struct dt_activity_list *list,
                    const struct dt_fail *fail, void *owner)
{
	struct question *q = owner;

	(void)store;
	q->is_asking = false;
	if (!q->answer)
		free_question(q);
	else if (fail->code)
		refuse(q, fail);
	else
		reply(q, list, list->last_id);
}

void dt_bridge_list_activity(struct dt_session *s, struct dt_workspace *ws,
                             const void *args, struct dt_answer *answer)
{
	const struct dt_list_activity_args *wanted = args;
	struct question *q = new_question(ws, answer);
	struct dt_activity_filter filter = {
		.kinds = wanted->tool || wanted->status ? 1u << DT_ACTIVITY_CALL
		                                        : 0,
		.workspace = ws->record.id,
		.what = wanted->tool,
		.status = wanted->status,
		.session = wanted->session,
		.is_latest = true,
		.limit = wanted->last ? wanted->last : LAST,
	};

	(void)s;
	q->has_stats = wanted->has_stats;
	q->is_asking = true;
	dt_activity_list(ws->hub, &filter, on_list, q);
}

/* waiting */

static void ask(struct question *q);

static void on_late(struct dt_timer *timer, void *owner)
{
	struct dt_activity_list none = { 0 };
	struct question *q = owner;

	(void)timer;
	/* An answer that is under way says that there is nothing. */
	if (!q->is_asking)
		reply(q, &none, q->since_id);
}

static void on_found(struct dt_store *store,
                     const struct dt_activity_list *list,
                     const struct dt_fail *fail, void *owner)
{
	struct question *q = owner;

	(void)store;
	q->is_asking = false;
	if (!q->answer) {
		free_question(q);
		return;
	}
	if (fail->code) {
		refuse(q, fail);
		return;
	}
	if (!q->has_since) {
		/* This was only to learn where now is. */
		q->has_since = true;
		q->since_id = list->last_id;
	} else if (list->count) {
		reply(q, list, list->records[list->count - 1].id);
		return;
	}
	if (!dt_timer_is_running(q->deadline))
		on_late(q->deadline, q);
	else if (dt_activity_last(q->ws->hub) > list->last_id)
		ask(q);
}

static void ask(struct question *q)
{
	struct dt_activity_filter filter = {
		.after_id = q->since_id,
		.workspace = q->ws->record.id,
		.without = q->without,
		.is_latest = !q->has_since,
		.limit = q->has_since ? q->max : 1,
	};

	if (q->is_asking)
		return;
	q->is_asking = true;
	dt_activity_list(q->ws->hub, &filter, on_found, q);
}

static void on_more(struct dt_activity_watch *watch)
{
	ask(DT_LIST_OF(watch, struct question, watch));
}

void dt_bridge_wait_activity(struct dt_session *s, struct dt_workspace *ws,
                             const void *args, struct dt_answer *answer)
{
	const struct dt_wait_activity_args *wanted = args;
	struct question *q = new_question(ws, answer);

	(void)s;
	q->since_id = wanted->since_id;
	q->has_since = wanted->has_since;
	q->max = wanted->max ? wanted->max : LAST;
	q->without = wanted->without ? dt_strdup(wanted->without) : NULL;
	q->watch.on_more = on_more;
	dt_activity_watch(ws->hub, &q->watch);
	q->deadline = dt_timer_new(ws->hub->loop, on_late, q);
	dt_timer_start(q->deadline, wanted->timeout_ms);
	ask(q);
}
