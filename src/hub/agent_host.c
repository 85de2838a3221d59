/*
 * hub/agent_host.c - what the hub does for the dialect of an agent: which
 * workspace it works in, and what its model is told of that.
 *
 * An agent may name only workspaces that a person has served: those that are,
 * and those that were.  A root of its client is the person's choice as well.
 */
#include "hub/agent_host.h"

#include "backend/headless.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/path.h"
#include "hub/env.h"
#include "hub/events.h"
#include "hub/route.h"
#include "hub/session.h"

#include <stdlib.h>

#define MIN_PREFIX 4 /* digits of an id */

static struct dt_session *session_of(struct dt_agent *agent)
{
	return DT_LIST_OF(agent, struct dt_session, agent);
}

static void on_ready(struct dt_agent *agent)
{
	dt_events_ready(session_of(agent));
}

/* workspaces */

static bool is_named(const struct dt_workspace *ws, const char *name)
{
	size_t len = strlen(name);

	return !strcmp(dt_path_base(dt_workspace_root(ws)), name) ||
	       (len >= MIN_PREFIX && !strncmp(ws->record.id, name, len));
}

static struct dt_workspace *find_by_name(struct dt_hub *hub, const char *name)
{
	struct dt_workspace *found = NULL;

	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		if (!is_named(ws, name))
			continue;
		if (found)
			return NULL; /* more than one: say it by its folder */
		found = ws;
	}
	return found;
}

/* A folder that is not served now, but was: its record is there. */
static struct dt_workspace *find_by_record(struct dt_hub *hub,
                                           struct dt_arena *arena,
                                           const char *folder)
{
	struct dt_place_record record = { 0 };
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };
	const char *real;

	if (dt_path_real(arena, folder, &real, NULL) ||
	    dt_place_find(arena, &hub->dirs, real, &record, NULL))
		return NULL;
	if (dt_hub_serve(hub, real, true, 0, &ws, &fail))
		dt_log(DT_LOG_WARN, "%s: %s", real, fail.msg);
	return ws;
}

static struct dt_workspace *find(struct dt_hub *hub, struct dt_arena *arena,
                                 const char *name)
{
	struct dt_workspace *ws;

	if (name[0] != '/')
		return find_by_name(hub, name);
	ws = dt_hub_workspace_at(hub, arena, name);
	return ws ? ws : find_by_record(hub, arena, name);
}

static struct dt_caller *seat_at(struct dt_session *s, struct dt_workspace *ws)
{
	struct dt_seat *made;

	if (ws == s->ws)
		return &s->agent.caller;
	dt_list_each(seat, &s->seats, struct dt_seat, link) {
		if (seat->caller.place == ws)
			return &seat->caller;
	}
	made = dt_alloc(sizeof(*made));
	dt_route_init(&made->caller, s, ws);
	dt_env_meet(ws, s);
	dt_list_append(&s->seats, &made->link);
	return &made->caller;
}

static struct dt_caller *choose(struct dt_agent *agent, struct dt_str name,
                                struct dt_fail *fail)
{
	struct dt_session *s = session_of(agent);
	struct dt_arena arena = { 0 };
	const char *text = dt_arena_strndup(&arena, name.ptr, name.len);
	struct dt_workspace *ws = find(s->ws->hub, &arena, text);

	if (!ws)
		dt_fail(fail, DT_E_MISSING,
		        "workspace: %.100s is not one that Dovetail knows; run "
		        "`dovetail start` there, or name one of getBridgeStatus",
		        text);
	dt_arena_done(&arena);
	return ws ? seat_at(s, ws) : NULL;
}

static void on_roots(struct dt_agent *agent, const struct dt_names *roots)
{
	struct dt_session *s = session_of(agent);
	struct dt_workspace *ws;
	struct dt_fail fail = { 0 };

	if (!s->agent.wants_roots)
		return;
	s->agent.wants_roots = false;
	if (dt_hub_serve(s->ws->hub, roots->ptr[0], false, 0, &ws, &fail))
		dt_log(DT_LOG_WARN, "%s: %s", roots->ptr[0], fail.msg);
	else
		dt_session_move(s, ws);
}

/* what a model is told */

static void instruct(struct dt_agent *agent, struct dt_buf *out)
{
	struct dt_session *s = session_of(agent);
	struct dt_hub *hub = s->ws->hub;

	dt_buf_addf(out,
	            "Dovetail joins you to the person's editor. The workspace "
	            "in use is %s",
	            dt_workspace_root(s->ws));
	if (s->agent.wants_roots)
		dt_buf_add_z(out, ", or the first root of your client if it "
		                  "has one");
	dt_buf_add_z(out, ". ");
	if (dt_hub_workspace_count(hub) > 1)
		dt_buf_add_z(out, "Other workspaces are served too: every tool "
		                  "takes `workspace`, a folder. ");
	dt_buf_add_z(out,
	             "To change files, call proposeEdit: the person sees the "
	             "change as a diff, may edit it, and decides; it waits as "
	             "long as they need. Call searchTools to find a tool by "
	             "what it does, also one that is not in the list.");
}

static const char *hidden(struct dt_agent *agent)
{
	return dt_config_get(session_of(agent)->ws->config, "mcp.hide");
}

static bool lists_all(struct dt_agent *agent)
{
	return !strcmp(
		dt_config_get(session_of(agent)->ws->config, "mcp.tools"),
		"full");
}

static void on_listens(struct dt_agent *agent)
{
	dt_headless_listen(session_of(agent)->ws->editor);
}

static void on_limit(struct dt_agent *agent, const char *name)
{
	struct dt_session *s = session_of(agent);

	dt_log(DT_LOG_INFO, "session %.8s (%s) hit %s", s->id,
	       dt_session_name(s), name);
	dt_metrics_count_limit(&s->ws->metrics, name);
}

const struct dt_agent_host dt_agent_host = {
	.on_ready = on_ready,
	.choose = choose,
	.on_roots = on_roots,
	.instruct = instruct,
	.hidden = hidden,
	.lists_all = lists_all,
	.on_listens = on_listens,
	.on_limit = on_limit,
};
