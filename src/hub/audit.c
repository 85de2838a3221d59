/*
 * hub/audit.c - repeats counted, lines handed to the store.
 *
 * A line is written when something first leaves, so that a crash loses none of
 * them; while it is open, repeats only change it here, and the store gets it a
 * second time when it closes.  A selection for every keystroke is thus two writes
 * in two seconds.
 */
#include "hub/audit.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "hub/control.h"
#include "hub/workspace.h"

#include <stdlib.h>

#define OPEN_MS 2000

/* A line that may still change.  Its strings are in its arena. */
struct line {
	struct dt_list link;
	struct dt_arena arena;
	struct dt_audit_record record;
	uint64_t until_ms;
	bool is_changed; /* since the store got it */
};

static void on_done(struct dt_store *store, const struct dt_fail *fail,
                    void *owner)
{
	struct dt_hub *hub = owner;

	(void)store;
	/* Where the store did not even open, that was said once. */
	if (fail->code && !hub->store_trouble)
		dt_log(DT_LOG_WARN, "the audit: %s", fail->msg);
}

static void write_line(struct dt_hub *hub, struct line *l)
{
	l->is_changed = false;
	if (!hub->store)
		return;
	dt_store_put_audit(hub->store, &l->record, on_done, hub);
	dt_control_log_changed(hub);
}

static void close_line(struct dt_hub *hub, struct line *l)
{
	if (l->is_changed)
		write_line(hub, l);
	dt_list_remove(&l->link);
	hub->audit_count--;
	dt_arena_done(&l->arena);
	free(l);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_hub *hub = owner;
	uint64_t now = dt_clock_ms();

	dt_list_each(l, &hub->audits, struct line, link) {
		if (l->until_ms > now) {
			dt_timer_start(timer, l->until_ms - now);
			return;
		}
		close_line(hub, l);
	}
}

static struct line *find(struct dt_hub *hub, const struct dt_session *s,
                         const struct dt_audit_item *item)
{
	uint64_t now = dt_clock_ms();

	dt_list_each(l, &hub->audits, struct line, link) {
		const struct dt_audit_record *r = &l->record;

		if (l->until_ms > now && r->kind == item->kind &&
		    !r->denied == !item->denied &&
		    !strcmp(r->path, item->path) && !strcmp(r->session, s->id))
			return l;
	}
	return NULL;
}

static void open_line(struct dt_hub *hub, const struct dt_session *s,
                      const struct dt_audit_item *item)
{
	struct line *l = dt_alloc(sizeof(*l));
	char id[DT_ID_TEXT];

	dt_rand_id(id);
	l->until_ms = dt_clock_ms() + OPEN_MS;
	l->record = (struct dt_audit_record){
		.id = dt_arena_strdup(&l->arena, id),
		.workspace = dt_arena_strdup(&l->arena, item->ws->record.id),
		.root = dt_arena_strdup(&l->arena, dt_workspace_root(item->ws)),
		.session = dt_arena_strdup(&l->arena, s->id),
		.agent = dt_arena_strdup(&l->arena, dt_session_name(s)),
		.kind = item->kind,
		.path = dt_arena_strdup(&l->arena, item->path),
		.at_ms = dt_clock_wall_ms(),
		.bytes = item->bytes,
		.lines = item->lines,
		.times = 1,
		.denied = dt_arena_strdup(&l->arena, item->denied),
	};
	dt_list_append(&hub->audits, &l->link);
	hub->audit_count++;
	if (!dt_timer_is_running(hub->auditor))
		dt_timer_start(hub->auditor, OPEN_MS);
	write_line(hub, l);
}

void dt_audit_init(struct dt_hub *hub)
{
	dt_list_init(&hub->audits);
	hub->auditor = dt_timer_new(hub->loop, on_timer, hub);
}

void dt_audit_add(const struct dt_session *s, const struct dt_audit_item *item)
{
	struct dt_hub *hub = s->ws->hub;
	struct line *l;

	if (!hub->auditor)
		return;
	l = find(hub, s, item);
	if (l) {
		l->record.times++;
		if (item->bytes > l->record.bytes)
			l->record.bytes = item->bytes;
		if (item->lines > l->record.lines)
			l->record.lines = item->lines;
		l->is_changed = true;
		return;
	}
	if (hub->audit_count == DT_LIMIT_AUDITS)
		close_line(hub,
		           DT_LIST_OF(hub->audits.next, struct line, link));
	open_line(hub, s, item);
}

void dt_audit_write(struct dt_hub *hub)
{
	dt_list_each(l, &hub->audits, struct line, link) {
		if (l->is_changed)
			write_line(hub, l);
	}
}

void dt_audit_end(struct dt_hub *hub)
{
	dt_list_each(l, &hub->audits, struct line, link)
		close_line(hub, l);
	dt_timer_free(hub->auditor);
	hub->auditor = NULL;
}
