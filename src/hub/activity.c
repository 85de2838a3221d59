/*
 * hub/activity.c - events gathered into batches and handed to the store.
 *
 * A batch leaves after BATCH_MS or BATCH_MAX events, or when somebody reads.
 * The invariant: nothing here waits.  A store that falls behind by BATCHES_MAX
 * loses the batches that are full meanwhile, which is counted, and never holds up
 * a call.
 */
#include "hub/activity.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "hub/env.h"
#include "hub/session.h"
#include "hub/workspace.h"

#include <stdlib.h>

#define BATCH_MS 200
#define BATCH_MAX 256
#define BATCHES_MAX 32    /* on their way to the store */
#define PRUNE_EVERY 10000 /* events kept */
#define MESSAGE_MAX 300   /* bytes of a message that are kept */
#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

struct dt_activity_log {
	struct dt_hub *hub;
	struct dt_timer *timer;
	struct dt_arena arena; /* of the batch */
	struct dt_activity_record batch[BATCH_MAX];
	size_t count;
	size_t under_way; /* batches */
	size_t unpruned;  /* events kept since the last time */
	int64_t last_id;
	uint64_t lost;
	struct dt_list watches;
	bool is_ending;
};

/* A batch on its way. */
struct sent {
	struct dt_activity_log *log;
	size_t count;
};

/* to the store */

/* Where the store did not even open, that was said once. */
static void warn(const struct dt_hub *hub, const char *what,
                 const struct dt_fail *fail)
{
	if (!hub->store_trouble)
		dt_log(DT_LOG_WARN, "%s: %s", what, fail->msg);
}

static void on_pruned(struct dt_store *store, const struct dt_fail *fail,
                      void *owner)
{
	(void)store;
	if (fail->code)
		warn(owner, "old events stay", fail);
}

static void prune(struct dt_hub *hub)
{
	int64_t days = dt_config_number(hub->config, "store.keep_calls_days");

	dt_store_prune_activity(
		hub->store, dt_clock_wall_ms() - days * DAY_MS,
		dt_config_number(hub->config, "store.keep_calls"), on_pruned,
		hub);
}

static void free_log(struct dt_activity_log *log)
{
	dt_arena_done(&log->arena);
	free(log);
}

static void on_put(struct dt_store *store, int64_t last_id,
                   const struct dt_fail *fail, void *owner)
{
	struct sent *sent = owner;
	struct dt_activity_log *log = sent->log;

	(void)store;
	log->under_way--;
	if (fail->code) {
		warn(log->hub, "events are not kept", fail);
		log->lost += sent->count;
	} else {
		log->last_id = last_id;
	}
	free(sent);
	if (log->is_ending) {
		if (log->under_way == 0)
			free_log(log);
		return;
	}
	dt_list_each(watch, &log->watches, struct dt_activity_watch, link)
		watch->on_more(watch);
	if (log->unpruned >= PRUNE_EVERY && log->hub->store) {
		log->unpruned = 0;
		prune(log->hub);
	}
}

static void clear(struct dt_activity_log *log)
{
	dt_timer_stop(log->timer);
	log->count = 0;
	dt_arena_done(&log->arena);
}

static void flush(struct dt_activity_log *log)
{
	struct sent *sent;

	if (log->count == 0)
		return;
	sent = dt_alloc(sizeof(*sent));
	*sent = (struct sent){ log, log->count };
	log->under_way++;
	log->unpruned += log->count;
	dt_store_put_activity(log->hub->store, log->batch, log->count, on_put,
	                      sent);
	clear(log);
}

static void on_full(struct dt_activity_log *log)
{
	if (log->under_way < BATCHES_MAX) {
		flush(log);
		return;
	}
	log->lost += log->count;
	clear(log);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_activity_log *log = owner;

	if (log->under_way < BATCHES_MAX)
		flush(log);
	else
		dt_timer_start(timer, BATCH_MS);
}

void dt_activity_begin(struct dt_hub *hub)
{
	struct dt_activity_log *log = dt_alloc(sizeof(*log));

	log->hub = hub;
	log->timer = dt_timer_new(hub->loop, on_timer, log);
	log->unpruned = PRUNE_EVERY; /* with the first batch */
	dt_list_init(&log->watches);
	hub->activity = log;
	dt_activity_add_daemon(hub, hub->restarts ? "restarted" : "started",
	                       DT_VERSION);
}

void dt_activity_end(struct dt_hub *hub)
{
	struct dt_activity_log *log = hub->activity;

	dt_activity_add_daemon(hub, "stopped", NULL);
	flush(log);
	dt_timer_free(log->timer);
	hub->activity = NULL;
	log->is_ending = true;
	/* Who still watches will unwatch later, when the list is gone. */
	while (!dt_list_is_empty(&log->watches))
		dt_list_remove(log->watches.next);
	if (log->under_way == 0)
		free_log(log);
}

/* adding */

static const char *keep(struct dt_activity_log *log, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (len == 0)
		return NULL;
	if (len > MESSAGE_MAX)
		len = dt_utf8_cut((struct dt_str){ text, len }, MESSAGE_MAX);
	return dt_arena_strndup(&log->arena, text, len);
}

void dt_activity_add(struct dt_hub *hub, const struct dt_activity_record *r)
{
	struct dt_activity_log *log = hub->activity;

	if (!log)
		return;
	log->batch[log->count++] = (struct dt_activity_record){
		.at_ms = r->at_ms ? r->at_ms : dt_clock_wall_ms(),
		.kind = r->kind,
		.what = keep(log, r->what),
		.status = keep(log, r->status),
		.workspace = keep(log, r->workspace),
		.session = keep(log, r->session),
		.agent = keep(log, r->agent),
		.took_us = r->took_us,
		.message = keep(log, r->message),
	};
	if (log->count == BATCH_MAX)
		on_full(log);
	else if (log->count == 1)
		dt_timer_start(log->timer, BATCH_MS);
}

static struct dt_activity_record of_session(const struct dt_session *s)
{
	return (struct dt_activity_record){
		.kind = DT_ACTIVITY_SESSION,
		.workspace = s->ws->record.id,
		.session = s->id,
		.agent = dt_session_name(s),
	};
}

void dt_activity_add_call(struct dt_session *s, struct dt_workspace *ws,
                          const struct dt_call_note *note)
{
	struct dt_activity_record r = of_session(s);

	r.kind = DT_ACTIVITY_CALL;
	r.workspace = ws->record.id;
	r.what = note->tool->name;
	r.status = dt_call_statuses[note->status];
	r.took_us = (int64_t)note->took_us;
	r.message = note->message;
	dt_activity_add(s->ws->hub, &r);
}

void dt_activity_add_session(struct dt_session *s, const char *what,
                             const char *message)
{
	struct dt_activity_record r = of_session(s);

	r.what = what;
	r.message = message;
	dt_activity_add(s->ws->hub, &r);
}

/* Who knows the whole id of a review may wait for its verdict, so what every
 * agent can read has the beginning alone. */
void dt_activity_add_review(struct dt_hub *hub, const struct dt_review *review)
{
	char id[9] = "";
	struct dt_activity_record r = {
		.kind = DT_ACTIVITY_REVIEW,
		.what = review->state == DT_REVIEW_WAITING
		                ? "opened"
		                : dt_review_state_names[review->state],
		.workspace = review->workspace,
		.session = review->session,
		.agent = review->agent,
		.message = id,
	};

	memcpy(id, review->id, sizeof(id) - 1);
	dt_activity_add(hub, &r);
}

void dt_activity_add_workspace(struct dt_workspace *ws, const char *what,
                               const char *message)
{
	struct dt_activity_record r = {
		.kind = DT_ACTIVITY_WORKSPACE,
		.what = what,
		.workspace = ws->record.id,
		.message = message,
	};

	dt_activity_add(ws->hub, &r);
}

void dt_activity_add_program(struct dt_workspace *ws, const char *asker,
                             const char *file)
{
	const struct dt_session *s = dt_env_session(ws, asker);
	struct dt_arena arena = { 0 };
	struct dt_activity_record r = {
		.kind = DT_ACTIVITY_PROGRAM,
		.what = file,
		.workspace = ws->record.id,
		.message = dt_env_whose(ws, asker, &arena),
	};

	if (s) {
		r.session = s->id;
		r.agent = dt_session_name(s);
	}
	dt_activity_add(ws->hub, &r);
	dt_arena_done(&arena);
}

void dt_activity_add_daemon(struct dt_hub *hub, const char *what,
                            const char *message)
{
	struct dt_activity_record r = {
		.kind = DT_ACTIVITY_DAEMON,
		.what = what,
		.message = message,
	};

	dt_activity_add(hub, &r);
}

/* reading */

void dt_activity_list(struct dt_hub *hub,
                      const struct dt_activity_filter *filter,
                      dt_store_activity_fn *fn, void *owner)
{
	struct dt_activity_list none = { 0 };
	struct dt_fail fail = { 0 };

	if (!hub->activity) {
		dt_fail(&fail, DT_E_STATE, "the daemon stops");
		fn(NULL, &none, &fail, owner);
		return;
	}
	flush(hub->activity);
	dt_store_list_activity(hub->store, filter, fn, owner);
}

void dt_activity_watch(struct dt_hub *hub, struct dt_activity_watch *watch)
{
	if (hub->activity)
		dt_list_append(&hub->activity->watches, &watch->link);
	else
		dt_list_init(&watch->link);
}

int64_t dt_activity_last(const struct dt_hub *hub)
{
	return hub->activity ? hub->activity->last_id : 0;
}

uint64_t dt_activity_lost(const struct dt_hub *hub)
{
	return hub->activity ? hub->activity->lost : 0;
}
