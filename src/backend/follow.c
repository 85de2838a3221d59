/*
 * backend/follow.c - from the watcher to servers, documents and agents.
 *
 * An operation sees all that was written before it: the kernel is asked first.
 * What is written while it goes on is told a moment later.
 */
#include "backend/follow.h"

#include "backend/kept.h"
#include "backend/watch_files.h"
#include "backend/watcher.h"
#include "base/limits.h"

#include <stdlib.h>

struct dt_follow {
	struct dt_headless *h;
	struct dt_watcher *watcher; /* NULL: nobody needs one */
	struct dt_timer *soon;      /* look whether somebody does */
	struct dt_timer *idle;      /* or whether nobody does any more */
	bool is_stopped;
};

static bool is_needed(const struct dt_headless *h)
{
	const struct dt_world *world = &h->world;

	return h->docs->count > 0 || dt_lsp_runs(h->lsp) ||
	       dt_watch_files_has_any(h->watch_files) ||
	       (world->is_listened && world->is_listened(world->owner));
}

/* The current document may be closed by it. */
static void tell_documents(struct dt_headless *h,
                           const struct dt_file_changes *changes)
{
	dt_list_each(doc, &h->docs->list, struct dt_document, link) {
		if (changes->is_lost ||
		    dt_file_changes_find(changes, doc->path))
			dt_documents_noticed(h->docs, doc);
	}
}

/* Who subscribed to a file that is not open hears of it, too. */
static void tell_subscribers(struct dt_headless *h,
                             const struct dt_file_changes *changes)
{
	const struct dt_world *world = &h->world;

	for (size_t i = 0; i < changes->count; i++) {
		const char *path = changes->ptr[i].path;

		if (!dt_documents_find(h->docs, path) &&
		    (!world->may_leave || world->may_leave(world->owner, path)))
			dt_headless_emit_document(h, path, DT_DOCUMENT_CHANGED);
	}
}

static void on_changes(const struct dt_file_changes *changes, void *owner)
{
	struct dt_follow *f = owner;

	dt_kept_take(f->h->kept, changes);
	dt_lsp_changed(f->h->lsp, changes);
	tell_subscribers(f->h, changes);
	tell_documents(f->h, changes);
	dt_watch_files_take(f->h->watch_files, changes);
}

static void on_settled(void *owner)
{
	struct dt_follow *f = owner;

	dt_watch_files_settled(f->h->watch_files);
}

void dt_follow_begin(struct dt_follow *f)
{
	if (f->watcher || f->is_stopped)
		return;
	f->watcher = dt_watcher_new(&(struct dt_watcher_spec){
		.world = &f->h->world,
		.fn = on_changes,
		.on_settled = on_settled,
		.owner = f,
	});
	dt_timer_repeat(f->idle, DT_LIMIT_WATCH_IDLE_MS);
}

static void end_watching(struct dt_follow *f)
{
	dt_timer_stop(f->idle);
	dt_watcher_free(f->watcher);
	f->watcher = NULL;
}

static void on_soon(struct dt_timer *timer, void *owner)
{
	struct dt_follow *f = owner;

	(void)timer;
	if (is_needed(f->h))
		dt_follow_begin(f);
}

static void on_idle(struct dt_timer *timer, void *owner)
{
	struct dt_follow *f = owner;

	(void)timer;
	if (!is_needed(f->h))
		end_watching(f);
}

void dt_follow_look(struct dt_follow *f)
{
	if (f->watcher)
		dt_watcher_drain(f->watcher);
	else if (!f->is_stopped && !dt_timer_is_running(f->soon))
		dt_timer_start(f->soon, 0);
}

bool dt_follow_is_settled(const struct dt_follow *f)
{
	return f->watcher && dt_watcher_is_settled(f->watcher);
}

const char *dt_follow_problem(const struct dt_follow *f)
{
	return f->watcher ? dt_watcher_problem(f->watcher) : NULL;
}

struct dt_follow *dt_follow_new(struct dt_headless *h)
{
	struct dt_follow *f = dt_alloc(sizeof(*f));

	f->h = h;
	f->soon = dt_timer_new(h->world.loop, on_soon, f);
	f->idle = dt_timer_new(h->world.loop, on_idle, f);
	dt_timer_set_background(f->idle);
	return f;
}

void dt_follow_stop(struct dt_follow *f)
{
	f->is_stopped = true;
	dt_timer_stop(f->soon);
	end_watching(f);
}

void dt_follow_free(struct dt_follow *f)
{
	if (!f)
		return;
	dt_follow_stop(f);
	dt_timer_free(f->soon);
	dt_timer_free(f->idle);
	free(f);
}
