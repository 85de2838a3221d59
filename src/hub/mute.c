/*
 * hub/mute.c - the list of mutes, its file, and the clock.
 *
 * What a mute keeps from an agent is for hub/events.c and hub/passage.c.  A mute
 * that is over counts no more, whether the timer has seen that or not: the wall
 * clock decides, for it goes on while the machine sleeps.
 */
#include "hub/mute.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "data/field.h"
#include "hub/events.h"

#include <stdlib.h>

#define LOOK_MS 60000 /* how often at least the clock is looked at */

static bool is_over(const struct dt_mute *m)
{
	return m->until_ms && m->until_ms <= dt_clock_wall_ms();
}

static void add(struct dt_hub *hub, const char *agent, int64_t until_ms)
{
	struct dt_mute *m = dt_alloc(sizeof(*m));

	m->agent = dt_strdup(agent);
	m->until_ms = until_ms;
	dt_list_append(&hub->mutes, &m->link);
	hub->mute_count++;
}

static void forget(struct dt_hub *hub, struct dt_mute *m)
{
	dt_list_remove(&m->link);
	hub->mute_count--;
	free(m->agent);
	free(m);
}

static struct dt_mute *find(struct dt_hub *hub, const char *agent)
{
	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		if (!strcmp(m->agent, agent))
			return m;
	}
	return NULL;
}

/* the file */

struct item {
	const char *agent;
	int64_t until_ms;
};
static const struct dt_field item_fields[] = {
	DT_FIELD(struct item, agent, NAME, DT_REQ, "Empty: every one."),
	DT_FIELD_AS("untilMs", struct item, until_ms, I64, 0, "0: no end."),
	DT_FIELD_END,
};
static const struct dt_shape item_shape = DT_SHAPE(struct item, item_fields);

struct items {
	struct dt_items mutes;
};
static const struct dt_field items_fields[] = {
	DT_FIELD(struct items, mutes, ITEMS, DT_REQ, "", .shape = &item_shape),
	DT_FIELD_END,
};
static const struct dt_shape items_shape = DT_SHAPE(struct items, items_fields);

static const char *file_of(struct dt_hub *hub, struct dt_arena *arena)
{
	return dt_path_join(arena, hub->dirs.state, "mutes.json");
}

static void write_file(struct dt_hub *hub)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct item *item =
		dt_arena_alloc(&arena, hub->mute_count * sizeof(*item));
	struct items items = { { .ptr = item } };
	struct dt_json_out out;
	struct dt_buf text;

	dt_list_each(m, &hub->mutes, struct dt_mute, link)
		item[items.mutes.count++] =
			(struct item){ m->agent, m->until_ms };
	dt_buf_init(&text, DT_MIB);
	out = dt_json_out(&text);
	dt_shape_write(&items_shape, &items, &out);
	if (dt_file_write(file_of(hub, &arena), dt_buf_str(&text), 0600, &fail))
		dt_log(DT_LOG_WARN, "mutes end with the daemon: %s", fail.msg);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

static void read_file(struct dt_hub *hub)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct items items = { 0 };
	const struct item *item;
	const struct dt_json *json;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_MIB);
	err = dt_file_read(file_of(hub, &arena), &text, &fail);
	if (!err)
		err = dt_json_read(&arena, dt_buf_str(&text), &json, &fail);
	if (!err)
		err = dt_shape_read(&items_shape, &arena, json, &items, &fail);
	if (err && err != DT_E_MISSING)
		dt_log(DT_LOG_WARN, "%s: %s", file_of(hub, &arena), fail.msg);
	item = items.mutes.ptr;
	for (size_t i = 0; i < items.mutes.count && i < DT_LIMIT_MUTES; i++)
		add(hub, item[i].agent, item[i].until_ms);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

/* the clock */

static void set_timer(struct dt_hub *hub)
{
	int64_t now = dt_clock_wall_ms();
	int64_t next = 0;

	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		if (m->until_ms && (!next || m->until_ms < next))
			next = m->until_ms;
	}
	if (!hub->unmuter)
		return;
	if (!next)
		dt_timer_stop(hub->unmuter);
	else if (next - now > LOOK_MS)
		dt_timer_start(hub->unmuter, LOOK_MS);
	else
		dt_timer_start(hub->unmuter,
		               next > now ? (uint64_t)(next - now) : 1);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_hub *hub = owner;
	size_t before = hub->mute_count;

	(void)timer;
	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		if (is_over(m))
			forget(hub, m);
	}
	set_timer(hub);
	if (hub->mute_count == before)
		return;
	write_file(hub);
	dt_events_refresh(hub);
}

void dt_mute_init(struct dt_hub *hub)
{
	dt_list_init(&hub->mutes);
	hub->unmuter = dt_timer_new(hub->loop, on_timer, hub);
	read_file(hub);
	set_timer(hub);
}

void dt_mute_stop(struct dt_hub *hub)
{
	dt_timer_free(hub->unmuter);
	hub->unmuter = NULL;
}

void dt_mute_done(struct dt_hub *hub)
{
	dt_list_each(m, &hub->mutes, struct dt_mute, link)
		forget(hub, m);
}

static enum dt_err check(struct dt_hub *hub, const char *agent,
                         struct dt_fail *fail)
{
	if (!find(hub, agent) && hub->mute_count >= DT_LIMIT_MUTES)
		return dt_fail(fail, DT_E_LIMIT,
		               "%d agents are muted already: `dovetail unmute` "
		               "ends that",
		               DT_LIMIT_MUTES);
	return *agent ? dt_glob_check(dt_str(agent), fail) : DT_E_OK;
}

enum dt_err dt_mute_begin(struct dt_hub *hub, const char *agent,
                          int64_t until_ms, struct dt_fail *fail)
{
	struct dt_mute *m = find(hub, agent);
	enum dt_err err = check(hub, agent, fail);

	if (err)
		return err;
	if (m)
		m->until_ms = until_ms;
	else
		add(hub, agent, until_ms);
	set_timer(hub);
	write_file(hub);
	dt_events_refresh(hub);
	return DT_E_OK;
}

size_t dt_mute_end(struct dt_hub *hub, const char *agent)
{
	size_t before = hub->mute_count;

	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		if (!*agent || !strcmp(m->agent, agent))
			forget(hub, m);
	}
	set_timer(hub);
	write_file(hub);
	dt_events_refresh(hub);
	return before - hub->mute_count;
}

bool dt_mute_has(const struct dt_session *s)
{
	dt_list_each(m, &s->ws->hub->mutes, struct dt_mute, link) {
		if (!is_over(m) &&
		    (!*m->agent || dt_session_is_named(s, m->agent)))
			return true;
	}
	return false;
}

bool dt_mute_has_all(const struct dt_hub *hub)
{
	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		if (!*m->agent && !is_over(m))
			return true;
	}
	return false;
}
