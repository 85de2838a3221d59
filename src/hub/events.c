/*
 * hub/events.c - selections and news to every agent, mentions to one.
 *
 * A selection an editor shows is state: an agent that connects later gets it
 * too.  One given on the command line is said once: to whoever is there, else to
 * the first that comes.
 */
#include "hub/events.h"

#include "base/clock.h"
#include "base/limits.h"

#include <stdlib.h>

/* A mention that waits for an agent. */
struct waiting {
	struct dt_list link;
	struct dt_mention mention; /* its path is owned */
	char *agent;               /* or NULL: any */
	uint64_t until_ms;
};

/* selections */

static void forget_selection(struct dt_workspace *ws)
{
	free((char *)(uintptr_t)ws->selection.path);
	free((char *)(uintptr_t)ws->selection.text.ptr);
	ws->selection = (struct dt_selection){ 0 };
}

static void keep_selection(struct dt_workspace *ws,
                           const struct dt_selection *s)
{
	struct dt_selection copy = *s;

	copy.path = s->path ? dt_strdup(s->path) : NULL;
	copy.text.ptr = dt_strndup(s->text.ptr, s->text.len);
	forget_selection(ws);
	ws->selection = copy;
	ws->is_selection_new = true;
}

static void send_selection(struct dt_session *s)
{
	struct dt_workspace *ws = s->ws;
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.sequence = ++ws->hub->sequence,
		.selection = ws->selection,
	};

	s->agent.dialect->on_event(&s->agent, &event);
	ws->is_selection_new = false;
}

/* Names, not texts: who wants to know more asks. */
static void send_news(struct dt_session *s, const struct dt_event *news)
{
	struct dt_event event = *news;

	event.sequence = ++s->ws->hub->sequence;
	s->agent.dialect->on_event(&s->agent, &event);
}

static void on_event(struct dt_editor *editor, struct dt_event *event,
                     void *owner)
{
	struct dt_workspace *ws = owner;
	bool is_selection = event->type == DT_EVENT_SELECTION;

	(void)editor;
	if (is_selection)
		keep_selection(ws, &event->selection);
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (s->agent.is_ready && is_selection)
			send_selection(s);
		else if (s->agent.is_ready)
			send_news(s, event);
	}
}

/* mentions */

static void send_mention(struct dt_session *s, const struct dt_mention *mention)
{
	struct dt_event event = {
		.type = DT_EVENT_MENTION,
		.sequence = ++s->ws->hub->sequence,
		.mention = *mention,
	};

	s->agent.dialect->on_event(&s->agent, &event);
}

static bool is_named(const struct dt_session *s, const char *agent)
{
	size_t len = strlen(agent);

	return !strcmp(dt_session_name(s), agent) ||
	       !strcmp(s->agent.dialect->name, agent) ||
	       (len >= 4 && !strncmp(s->id, agent, len));
}

static struct dt_session *choose(struct dt_workspace *ws, const char *agent)
{
	struct dt_session *best = NULL;

	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (!s->agent.is_ready || (agent && !is_named(s, agent)))
			continue;
		if (!best || s->agent.prompted_ms >= best->agent.prompted_ms)
			best = s;
	}
	return best;
}

static void free_waiting(struct dt_workspace *ws, struct waiting *w)
{
	dt_list_remove(&w->link);
	ws->mention_count--;
	free((char *)(uintptr_t)w->mention.path);
	free(w->agent);
	free(w);
}

static void drop_late(struct dt_workspace *ws)
{
	uint64_t now = dt_clock_ms();

	dt_list_each(w, &ws->mentions, struct waiting, link) {
		if (w->until_ms < now)
			free_waiting(ws, w);
	}
}

enum dt_err dt_events_mention(struct dt_workspace *ws,
                              const struct dt_mention *mention,
                              const char *agent, struct dt_session **out,
                              struct dt_fail *fail)
{
	struct dt_session *s = choose(ws, agent);
	struct waiting *w;

	*out = s;
	if (s) {
		send_mention(s, mention);
		return DT_E_OK;
	}
	drop_late(ws);
	if (ws->mention_count >= DT_LIMIT_MENTIONS)
		return dt_fail(fail, DT_E_LIMIT,
		               "%u mentions wait for an agent already",
		               DT_LIMIT_MENTIONS);
	w = dt_alloc(sizeof(*w));
	w->mention = *mention;
	w->mention.path = dt_strdup(mention->path);
	w->agent = agent ? dt_strdup(agent) : NULL;
	w->until_ms = dt_clock_ms() + DT_LIMIT_MENTION_MS;
	dt_list_append(&ws->mentions, &w->link);
	ws->mention_count++;
	return DT_E_OK;
}

void dt_events_ready(struct dt_session *s)
{
	struct dt_workspace *ws = s->ws;

	if (ws->is_selection_new || ws->selection.is_lasting)
		send_selection(s);
	drop_late(ws);
	dt_list_each(w, &ws->mentions, struct waiting, link) {
		if (w->agent && !is_named(s, w->agent))
			continue;
		send_mention(s, &w->mention);
		free_waiting(ws, w);
	}
}

void dt_events_init(struct dt_workspace *ws)
{
	dt_list_init(&ws->mentions);
	ws->editor->on_event = on_event;
	ws->editor->owner = ws;
}

void dt_events_done(struct dt_workspace *ws)
{
	forget_selection(ws);
	dt_list_each(w, &ws->mentions, struct waiting, link)
		free_waiting(ws, w);
}
