/*
 * hub/session.c - an agent from its link's start to its end.
 *
 * The dialect does the talking; here is what every agent has: an id, a caller,
 * a place in the workspace's list.
 */
#include "hub/session.h"

#include "base/clock.h"
#include "base/log.h"
#include "hub/activity.h"
#include "hub/agent_host.h"
#include "hub/checkpoint.h"
#include "hub/env.h"
#include "hub/history.h"
#include "hub/record.h"
#include "hub/route.h"
#include "hub/whose.h"
#include "review/rules.h"

#include <stdlib.h>

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct dt_session *s = owner;
	bool was_named = s->agent.name[0];

	(void)peer;
	s->agent.dialect->on_request(&s->agent, req, params);
	if (was_named || !s->agent.name[0])
		return;
	dt_history_put_session(s, 0);
	dt_activity_add_session(s, "initialized", s->agent.version);
	dt_checkpoint_changed(s->ws);
}

/* It said which process it is.  What the kernel told counts all the same; a
 * claim can only add to it. */
static void check_said(struct dt_session *s, pid_t known)
{
	if (dt_whose_can_be(known, s->agent.pid)) {
		dt_whose_remember(s->ws->hub, s->agent.pid);
		return;
	}
	dt_log(DT_LOG_WARN, "session %.8s says that it is process %d: it is %d",
	       s->id, (int)s->agent.pid, (int)known);
	s->agent.pid = known;
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	struct dt_session *s = owner;
	pid_t known = s->agent.pid;

	(void)peer;
	s->agent.dialect->on_notify(&s->agent, method, params);
	if (s->agent.pid != known)
		check_said(s, known);
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	struct dt_session *s = owner;

	(void)peer;
	dt_log(DT_LOG_INFO, "session %.8s (%s) ended: %s", s->id,
	       dt_session_name(s), why->msg);
	dt_history_put_session(s, dt_clock_wall_ms());
	dt_activity_add_session(s, "disconnected", why->msg);
	s->ws->disconnected_ms = dt_clock_wall_ms();
	s->ws->disconnected_why = *why;
	dt_checkpoint_changed(s->ws);
	s->agent.dialect->on_close(&s->agent);
	dt_staging_leave(&s->ws->hub->staging, s->id);
	dt_list_each(ws, &s->ws->hub->workspaces, struct dt_workspace, link) {
		if (ws->editor->backend->leave)
			ws->editor->backend->leave(ws->editor, s->id);
	}
	dt_list_remove(&s->link);
	s->ws->session_count--;
	dt_list_each(seat, &s->seats, struct dt_seat, link)
		free(seat);
	dt_env_done(&s->env);
	free(s->agent.state);
	free(s);
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static struct dt_agent_limits limits_of(const struct dt_config *config)
{
	return (struct dt_agent_limits){
		.calls = dt_config_number(config, "limits.calls"),
		.requests_a_minute =
			dt_config_number(config, "limits.requests_a_minute"),
		.notes_a_minute =
			dt_config_number(config, "limits.notes_a_minute"),
	};
}

/* What is sealed for one workspace must not open in another. */
static void enter(struct dt_session *s, struct dt_workspace *ws)
{
	struct dt_str secret = { (const char *)ws->hub->secret,
		                 sizeof(ws->hub->secret) };

	s->ws = ws;
	dt_hmac_sha256(secret, dt_str(ws->record.id), s->secret);
	s->agent.secret =
		(struct dt_str){ (const char *)s->secret, sizeof(s->secret) };
	dt_route_init(&s->agent.caller, s, ws);
	dt_list_append(&ws->sessions, &s->link);
	ws->session_count++;
}

enum dt_err dt_session_check_room(struct dt_workspace *ws, struct dt_fail *fail)
{
	if (ws->session_count < dt_config_number(ws->config, "limits.sessions"))
		return DT_E_OK;
	ws->metrics.hits[DT_HIT_SESSIONS]++;
	return dt_fail(fail, DT_E_LIMIT,
	               "too many agents are connected (limits.sessions)");
}

struct dt_session *dt_session_new(struct dt_workspace *ws,
                                  const struct dt_dialect *dialect,
                                  struct dt_link *link, const char *id)
{
	struct dt_session *s = dt_alloc(sizeof(*s));

	if (id)
		memcpy(s->id, id, sizeof(s->id));
	else
		dt_rand_id(s->id);
	dt_list_init(&s->seats);
	s->connected_ms = dt_clock_wall_ms();
	s->agent.dialect = dialect;
	s->agent.state = dt_alloc(dialect->state_size);
	s->agent.host = &dt_agent_host;
	/* Claude Code is held back by its queue alone. */
	if (dialect->takes_workspace)
		s->agent.limits = limits_of(ws->config);
	enter(s, ws);
	ws->metrics.sessions++;
	ws->connected_ms = s->connected_ms;
	dt_activity_add_session(s, "connected", NULL);
	dt_log(DT_LOG_INFO, "session %.8s of %s began", s->id,
	       dt_workspace_root(ws));
	if (ws->hub->recorder)
		dt_recorder_watch(ws->hub->recorder, link, "agent");
	s->agent.peer = dt_peer_new(link, &peer_events, s);
	if (dialect->takes_workspace)
		dt_peer_omit_null_id(s->agent.peer);
	dt_peer_start(s->agent.peer);
	return s;
}

struct dt_session *dt_session_new_lasting(struct dt_workspace *ws,
                                          const struct dt_dialect *dialect,
                                          struct dt_link *link, const char *id)
{
	uint64_t grace = dt_config_number(ws->config, "mcp.grace_seconds");
	struct dt_link *lasting =
		dt_link_lasting_new(link, grace * 1000, NULL, NULL);
	struct dt_session *s = dt_session_new(ws, dialect, lasting, id);

	s->lasting = lasting;
	return s;
}

struct dt_session *dt_session_find(struct dt_workspace *ws, struct dt_str id)
{
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (dt_str_is(id, s->id))
			return s;
	}
	return NULL;
}

void dt_session_move(struct dt_session *s, struct dt_workspace *ws)
{
	if (s->ws == ws)
		return;
	dt_list_remove(&s->link);
	s->ws->session_count--;
	enter(s, ws);
	dt_env_meet(ws, s);
	dt_history_put_session(s, 0);
}

const char *dt_session_name(const struct dt_session *s)
{
	return s->agent.name[0] ? s->agent.name : s->agent.dialect->name;
}

bool dt_session_is_named(const struct dt_session *s, const char *name)
{
	struct dt_str glob = dt_str(name);

	return dt_rules_agent_fits(glob, dt_session_name(s)) ||
	       dt_rules_agent_fits(glob, s->agent.dialect->name) ||
	       (glob.len >= 4 && !strncmp(s->id, name, glob.len));
}

static bool is_of(const struct dt_review *r, const struct dt_session *s)
{
	return !strcmp(r->session, s->id) ||
	       (s->hook.session[0] && !strcmp(r->session, s->hook.session));
}

size_t dt_session_waiting(const struct dt_session *s)
{
	size_t count = 0;

	dt_list_each(r, &s->ws->hub->inbox.list, struct dt_review, link) {
		if (r->state == DT_REVIEW_WAITING && is_of(r, s))
			count++;
	}
	return count;
}

static struct dt_stream *stream_of(const struct dt_session *s)
{
	struct dt_link *link = s->lasting ? dt_link_lasting_peek(s->lasting)
	                                  : dt_peer_link(s->agent.peer);

	return link && link->carrier->stream ? link->carrier->stream(link)
	                                     : NULL;
}

bool dt_session_has_socket(const struct dt_session *s)
{
	return stream_of(s) != NULL;
}

size_t dt_session_queued(const struct dt_session *s)
{
	struct dt_stream *stream = stream_of(s);

	return stream ? dt_stream_queued(stream) : 0;
}

struct dt_session *dt_session_above(struct dt_hub *hub, pid_t pid)
{
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link) {
			if (s->agent.pid && !s->is_person &&
			    dt_os_is_descendant(pid, s->agent.pid))
				return s;
		}
	}
	return NULL;
}

void dt_session_see(struct dt_session *s, pid_t pid)
{
	s->agent.pid = pid;
	s->is_seen = pid > 0;
}

const struct dt_mark *dt_session_mark(const struct dt_session *s)
{
	bool is_hidden;

	if (s->hook.mark || !s->agent.pid)
		return s->hook.mark;
	return dt_mark_of(s->agent.pid, &is_hidden);
}

bool dt_session_is_agent(struct dt_hub *hub, pid_t pid)
{
	return dt_whose_check(hub, pid, "", NULL) != DT_E_OK;
}
