/*
 * backend/diagnose.c - getDiagnostics and watchDiagnostics, without a window.
 *
 * Nobody blocks: who looks and how long it takes is for looks.c, and when the
 * time of who asked is over, what is known is told.  A file that an agent wrote
 * is seen because each question has the text of now looked at; while somebody
 * watches that is done again and again.
 */
#include "backend/headless_state.h"
#include "base/limits.h"

#include <stdlib.h>

/* How often a watched file is looked at, and how long a change may settle: a
 * server reports a text in several pieces. */
#define LOOK_AGAIN_MS 1000
#define SETTLE_MS 150

/* getDiagnostics */

struct asked {
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_looks_wait *wait;
	struct dt_arena arena;
	const char *path; /* NULL: all */
};

static void free_asked(struct asked *asked)
{
	dt_arena_done(&asked->arena);
	free(asked);
}

static void on_looked(void *owner)
{
	struct asked *asked = owner;
	struct dt_diagnostics_result result;

	dt_looks_tell(asked->h->looks, &asked->arena, asked->path, &result);
	dt_answer_end(asked->answer, &result);
	free_asked(asked);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct asked *asked = performer;

	(void)answer;
	dt_looks_drop(asked->wait);
	free_asked(asked);
}

void dt_headless_get_diagnostics(struct dt_headless *h, const void *args,
                                 struct dt_answer *answer)
{
	const struct dt_diagnostics_args *wanted = args;
	struct asked *asked = dt_alloc(sizeof(*asked));

	asked->h = h;
	asked->answer = answer;
	if (wanted->path)
		asked->path = dt_headless_path(&asked->arena, wanted->path);
	answer->on_drop = on_drop;
	answer->performer = asked;
	asked->wait = dt_looks_start(h->looks, asked->path, wanted->wait_ms,
	                             on_looked, asked);
}

/* watchDiagnostics */

struct watch {
	struct dt_list link; /* of h->watches */
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_looks_wait *wait;
	struct dt_timer *deadline;
	struct dt_timer *settled; /* a change is to be told */
	struct dt_timer *again;   /* it is to be looked again */
	struct dt_arena arena;
	const char *path; /* NULL: all */
	int64_t since;
};

static void free_watch(struct watch *watch)
{
	dt_list_remove(&watch->link);
	if (watch->wait)
		dt_looks_drop(watch->wait);
	dt_timer_free(watch->deadline);
	dt_timer_free(watch->settled);
	dt_timer_free(watch->again);
	dt_arena_done(&watch->arena);
	free(watch);
}

static bool is_changed(const struct watch *watch)
{
	return dt_problems_version(watch->h->problems, watch->path) >
	       watch->since;
}

static void end_watch(struct dt_timer *timer, void *owner)
{
	struct watch *watch = owner;
	struct dt_watch_diagnostics_result result = {
		.is_changed = is_changed(watch),
	};

	(void)timer;
	dt_looks_tell(watch->h->looks, &watch->arena, watch->path,
	              &result.found);
	dt_answer_end(watch->answer, &result);
	free_watch(watch);
}

static void drop_watch(struct dt_answer *answer, void *performer)
{
	(void)answer;
	free_watch(performer);
}

static void on_watched(void *owner)
{
	struct watch *watch = owner;

	watch->wait = NULL;
	dt_timer_start(watch->again, LOOK_AGAIN_MS);
}

static void look_again(struct dt_timer *timer, void *owner)
{
	struct watch *watch = owner;

	(void)timer;
	watch->wait = dt_looks_start(watch->h->looks, watch->path,
	                             DT_LIMIT_LOOK_MS, on_watched, watch);
}

void dt_headless_tell_watches(struct dt_headless *h, const char *path)
{
	dt_list_each(watch, &h->watches, struct watch, link) {
		if (!watch->path || !strcmp(watch->path, path))
			dt_timer_start(watch->settled, SETTLE_MS);
	}
}

void dt_headless_watch_diagnostics(struct dt_headless *h, const void *args,
                                   struct dt_answer *answer)
{
	const struct dt_watch_diagnostics_args *wanted = args;
	struct watch *watch = dt_alloc(sizeof(*watch));

	watch->h = h;
	watch->answer = answer;
	if (wanted->path)
		watch->path = dt_headless_path(&watch->arena, wanted->path);
	watch->since = wanted->since ? wanted->since
	                             : dt_problems_version(h->problems, NULL);
	watch->deadline = dt_timer_new(h->world.loop, end_watch, watch);
	watch->settled = dt_timer_new(h->world.loop, end_watch, watch);
	watch->again = dt_timer_new(h->world.loop, look_again, watch);
	dt_list_init(&watch->link);
	dt_list_append(&h->watches, &watch->link);
	answer->on_drop = drop_watch;
	answer->performer = watch;
	dt_timer_start(watch->deadline, wanted->wait_ms < DT_LIMIT_WATCH_MS
	                                        ? wanted->wait_ms
	                                        : DT_LIMIT_WATCH_MS);
	if (is_changed(watch))
		dt_timer_start(watch->settled, 0);
	dt_timer_start(watch->again, 0);
}
