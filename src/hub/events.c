/*
 * hub/events.c - selections and news to every agent, mentions to one, and a list
 * of tools that is another one to those who have it.
 *
 * A selection an editor shows is state: an agent that connects later gets it
 * too.  One given on the command line is said once: to whoever is there, else to
 * the first that comes.  What the gate keeps back is told as if nothing were
 * selected, and only to an agent that still has an older selection.
 */
#include "hub/events.h"

#include "base/clock.h"
#include "base/limits.h"
#include "editor/text.h"
#include "hub/gate.h"
#include "hub/mute.h"

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

/* A muted agent is not told that nothing is selected, either. */
static bool may_have_selection(const struct dt_session *s)
{
	const struct dt_selection *selection = &s->ws->selection;

	return !dt_gate_is_muted(s) &&
	       (!selection->path || !dt_gate_check(s->ws, s, DT_AUDIT_SELECTION,
	                                           selection->path, NULL));
}

static void send_event(struct dt_session *s, const struct dt_selection *what)
{
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.sequence = ++s->ws->hub->sequence,
		.selection = *what,
	};

	s->has_selection = what->path != NULL;
	s->agent.dialect->on_event(&s->agent, &event);
}

static void clear_selection(struct dt_session *s)
{
	static const struct dt_selection none = { 0 };

	if (s->has_selection)
		send_event(s, &none);
}

static void send_selection(struct dt_session *s)
{
	const struct dt_selection *what = &s->ws->selection;

	if (!may_have_selection(s)) {
		clear_selection(s);
		return;
	}
	send_event(s, what);
	/* Others hear that there is a new one, and come for it. */
	if (!s->agent.dialect->takes_mentions)
		return;
	s->ws->is_selection_new = false;
	if (what->text.len > 0)
		dt_gate_left(s->ws, s, DT_AUDIT_SELECTION, what->path,
		             what->text.len, dt_text_line_count(what->text));
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
	dt_gate_left(s->ws, s, DT_AUDIT_MENTION, mention->path, 0,
	             mention->first.is_set
	                     ? mention->last.value - mention->first.value + 1
	                     : 0);
}

/* `out_is_muted`: there is one, but it is to hear nothing. */
static struct dt_session *choose(struct dt_workspace *ws, const char *agent,
                                 bool *out_is_muted)
{
	struct dt_session *best = NULL;

	*out_is_muted = dt_mute_has_all(ws->hub);
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (!s->agent.is_ready || !s->agent.dialect->takes_mentions ||
		    (agent && !dt_session_is_named(s, agent)))
			continue;
		if (dt_gate_is_muted(s))
			*out_is_muted = true;
		else if (!best ||
		         s->agent.prompted_ms >= best->agent.prompted_ms)
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
	bool is_muted;
	struct dt_session *s = choose(ws, agent, &is_muted);
	struct waiting *w;
	enum dt_err err =
		s ? dt_gate_check(ws, s, DT_AUDIT_MENTION, mention->path, fail)
		  : dt_gate_check_path(ws, mention->path, fail);

	if (err)
		return err;
	*out = s;
	if (s) {
		send_mention(s, mention);
		return DT_E_OK;
	}
	if (is_muted)
		return dt_fail(fail, DT_E_DENIED,
		               "%s muted: `dovetail unmute` ends that",
		               agent ? "that agent is" : "agents are");
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
	if (!s->agent.dialect->takes_mentions)
		return;
	drop_late(ws);
	if (dt_gate_is_muted(s))
		return;
	dt_list_each(w, &ws->mentions, struct waiting, link) {
		if (w->agent && !dt_session_is_named(s, w->agent))
			continue;
		if (!dt_gate_check(ws, s, DT_AUDIT_MENTION, w->mention.path,
		                   NULL))
			send_mention(s, &w->mention);
		free_waiting(ws, w);
	}
}

static void refresh(struct dt_session *s)
{
	if (!s->agent.is_ready)
		return;
	if (!s->has_selection)
		dt_events_ready(s);
	else if (!may_have_selection(s))
		clear_selection(s);
}

void dt_events_refresh(struct dt_hub *hub)
{
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link)
			refresh(s);
	}
}

/* tools */

/* Whether some tool is listed that was not, or the other way round. */
static bool is_changed(const struct dt_session *s, const char *hide,
                       const char *tools)
{
	const struct dt_config *config = s->ws->config;
	const char *hidden = dt_config_get(config, "mcp.hide");
	bool has_extra_changed =
		!s->agent.wants_all_tools &&
		strcmp(tools, dt_config_get(config, "mcp.tools")) != 0;
	const struct dt_tool *tool;

	for (size_t i = 0; (tool = dt_dialect_tool(s->agent.dialect, i)); i++) {
		if (dt_tool_is_hidden(hide, tool->name) !=
		            dt_tool_is_hidden(hidden, tool->name) ||
		    (has_extra_changed && tool->flags & DT_TOOL_EXTRA))
			return true;
	}
	return false;
}

void dt_events_tools(struct dt_workspace *ws, const char *hide,
                     const char *tools)
{
	struct dt_event event = { .type = DT_EVENT_TOOLS };

	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (!is_changed(s, hide, tools))
			continue;
		event.sequence = ++ws->hub->sequence;
		s->agent.dialect->on_event(&s->agent, &event);
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
