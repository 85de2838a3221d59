/*
 * hub/control_daemon.c - status, stop, reload, workspaces.
 */
#include "hub/control.h"

#include "base/path.h"
#include "hub/coverage.h"
#include "hub/env.h"
#include "hub/gate.h"
#include "hub/mute.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "rpc/code.h"

#include <stdlib.h>
#include <unistd.h>

/* status */

static void put_str(struct dt_json_out *out, const char *key, const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void put_int(struct dt_json_out *out, const char *key, int64_t value)
{
	dt_json_key(out, key);
	dt_json_put_int(out, value);
}

static void put_bool(struct dt_json_out *out, const char *key, bool value)
{
	dt_json_key(out, key);
	dt_json_put_bool(out, value);
}

/* By what its process is known, and by what those that it started. */
static void write_known(struct dt_json_out *out, const struct dt_session *s)
{
	const struct dt_mark *mark = dt_session_mark(s);

	dt_json_key(out, "knownBy");
	dt_json_begin_array(out);
	if (s->agent.pid)
		dt_json_put_z(out, s->is_seen ? "kernel" : "word");
	if (s->hook.called_ms)
		dt_json_put_z(out, "hook");
	if (mark)
		dt_json_put_z(out, mark->variable);
	dt_json_end_array(out);
}

static void write_session(struct dt_json_out *out, const struct dt_session *s,
                          struct dt_arena *arena)
{
	struct dt_coverage coverage = dt_coverage_of(arena, s);

	dt_json_begin_object(out);
	put_str(out, "id", s->id);
	put_str(out, "agent", dt_session_name(s));
	put_str(out, "version", s->agent.version);
	put_int(out, "pid", s->agent.pid);
	put_int(out, "connectedMs", s->connected_ms);
	put_int(out, "promptedMs", s->agent.prompted_ms);
	put_int(out, "waiting", (int64_t)dt_session_waiting(s));
	put_bool(out, "isReviewed", coverage.is_reviewed);
	put_str(out, "hook", dt_coverage_hooks[coverage.hook]);
	put_str(out, "why", coverage.why);
	put_int(out, "hookedMs", s->hook.called_ms);
	put_str(out, "mode", s->hook.mode);
	put_bool(out, "isMuted", dt_gate_is_muted(s));
	write_known(out, s);
	dt_json_end_object(out);
}

/* The names alone: what they hold is nobody's business. */
static void write_env(struct dt_json_out *out, const struct dt_names *env)
{
	dt_json_begin_array(out);
	for (size_t i = 0; i < env->count; i++) {
		struct dt_str rest = dt_str(env->ptr[i]);

		dt_json_put_str(out, dt_str_cut(&rest, '='));
	}
	dt_json_end_array(out);
}

static void write_workspace(struct dt_json_out *out, struct dt_workspace *ws,
                            struct dt_arena *arena)
{
	dt_json_begin_object(out);
	put_str(out, "id", ws->record.id);
	put_str(out, "root", dt_workspace_root(ws));
	dt_json_key(out, "roots");
	dt_json_begin_array(out);
	for (size_t i = 0; i < ws->record.roots.count; i++)
		dt_json_put_z(out, ws->record.roots.ptr[i]);
	dt_json_end_array(out);
	put_int(out, "port", ws->record.port);
	put_str(out, "lock", dt_workspace_lock(ws, arena));
	put_bool(out, "isMoved", ws->is_moved);
	dt_json_key(out, "environment");
	write_env(out, &ws->env);
	put_int(out, "waiting", (int64_t)dt_workspace_waiting(ws));
	put_int(out, "silentRules", (int64_t)dt_coverage_silent_rules(ws));
	dt_json_key(out, "sessions");
	dt_json_begin_array(out);
	dt_list_each(s, &ws->sessions, struct dt_session, link)
		write_session(out, s, arena);
	dt_json_end_array(out);
	dt_json_end_object(out);
}

/* Of the person's file, and of each repository's once. */
static void write_warnings(struct dt_json_out *out, const struct dt_hub *hub)
{
	size_t own = dt_config_warning_count(hub->config);

	dt_json_key(out, "warnings");
	dt_json_begin_array(out);
	for (size_t i = 0; i < own; i++)
		dt_json_put_z(out, dt_config_warning(hub->config, i));
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		/* A workspace's begin with the same ones. */
		for (size_t i = own; i < dt_config_warning_count(ws->config);
		     i++)
			dt_json_put_z(out, dt_config_warning(ws->config, i));
	}
	dt_json_end_array(out);
}

static void write_mutes(struct dt_json_out *out, const struct dt_hub *hub)
{
	dt_json_key(out, "mutes");
	dt_json_begin_array(out);
	dt_list_each(m, &hub->mutes, struct dt_mute, link) {
		dt_json_begin_object(out);
		put_str(out, "agent", m->agent);
		put_int(out, "untilMs", m->until_ms);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

static const char *store_state(const struct dt_hub *hub)
{
	if (hub->store_trouble)
		return hub->store_trouble;
	return hub->inbox.unkept.code ? hub->inbox.unkept.msg : "ok";
}

static void status(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	struct dt_hub *hub = client->hub;
	struct dt_json_out *out = dt_request_begin(req);

	(void)args;
	dt_json_begin_object(out);
	put_int(out, "pid", getpid());
	put_str(out, "version", DT_VERSION);
	put_int(out, "startedMs", hub->started_ms);
	put_str(out, "log", hub->dirs.log);
	put_str(out, "socket", hub->dirs.socket);
	put_str(out, "store", store_state(hub));
	put_int(out, "restarts", hub->restarts);
	write_mutes(out, hub);
	write_warnings(out, hub);
	dt_json_key(out, "workspaces");
	dt_json_begin_array(out);
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link)
		write_workspace(out, ws, &req->arena);
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* stop, reload */

struct stop_args {
	bool is_restart;
};
static const struct dt_field stop_fields[] = {
	DT_FIELD_AS("isRestart", struct stop_args, is_restart, BOOL, 0,
	            "The next daemon serves the same workspaces."),
	DT_FIELD_END,
};

static void answer_empty(struct dt_request *req)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void stop(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct stop_args *wanted = args;
	struct dt_hub *hub = client->hub;
	struct dt_json_out *out;

	hub->is_restarting = wanted->is_restart;
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	put_int(out, "pid", getpid());
	dt_json_end_object(out);
	dt_request_end(req);
	dt_hub_stop(hub);
}

/* The loop turns. */
static void ping(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	(void)client;
	(void)args;
	answer_empty(req);
}

static void reload(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	struct dt_json_out *out;

	(void)args;
	dt_hub_reload(client->hub);
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	write_warnings(out, client->hub);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* person */

struct person_args {
	const char *what;
};
static const struct dt_field person_fields[] = {
	DT_FIELD(struct person_args, what, NAME, DT_REQ,
	         "What it is about to do, without us."),
	DT_FIELD_END,
};

static void person(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct person_args *wanted = args;
	struct dt_fail fail = { 0 };

	if (dt_control_check_person(client, wanted->what, &fail))
		dt_request_fail_with(req, &fail);
	else
		answer_empty(req);
}

/* workspaces */

struct open_args {
	const char *folder;
	bool is_named;
	uint32_t port;
	struct dt_names env;
};
static const struct dt_field open_fields[] = {
	DT_FIELD(struct open_args, folder, PATH, DT_REQ, "Where."),
	DT_FIELD_AS("isNamed", struct open_args, is_named, BOOL, 0,
	            "Take the folder as it is."),
	DT_FIELD(struct open_args, port, U32, 0, "This port and no other."),
	DT_FIELD(struct open_args, env, NAMES, 0, "\"NAME=value\" strings."),
	DT_FIELD_END,
};

struct find_args {
	const char *folder;
};
static const struct dt_field find_fields[] = {
	DT_FIELD(struct find_args, folder, PATH, DT_REQ, "Where."),
	DT_FIELD_END,
};

static void reply_workspace(struct dt_request *req, struct dt_workspace *ws,
                            bool is_new)
{
	char *lock = dt_workspace_lock(ws, &req->arena);
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	put_str(out, "id", ws->record.id);
	put_str(out, "root", dt_workspace_root(ws));
	put_int(out, "port", ws->record.port);
	put_str(out, "lock", lock);
	put_bool(out, "isNew", is_new);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* The person's, or that of the agent whose command this is.  What an agent runs
 * without being connected is nobody's. */
static void take_env(const struct dt_client *client, struct dt_workspace *ws,
                     const struct dt_names *env)
{
	struct dt_session *s = dt_session_above(client->hub, client->pid);

	if (s && s->env.count == 0)
		dt_env_set(&s->env, env);
	else if (!s && !dt_session_is_agent(client->hub, client->pid))
		dt_workspace_set_env(ws, env);
}

static void open_workspace(struct dt_client *client, struct dt_request *req,
                           const void *args)
{
	const struct open_args *wanted = args;
	size_t before = dt_hub_workspace_count(client->hub);
	struct dt_workspace *ws;
	struct dt_fail fail = { 0 };

	if (dt_hub_serve(client->hub, wanted->folder, wanted->is_named,
	                 wanted->port, &ws, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	if (wanted->env.count > 0)
		take_env(client, ws, &wanted->env);
	reply_workspace(req, ws, dt_hub_workspace_count(client->hub) > before);
}

static void find_workspace(struct dt_client *client, struct dt_request *req,
                           const void *args)
{
	const struct find_args *wanted = args;
	struct dt_workspace *ws =
		dt_hub_workspace_at(client->hub, &req->arena, wanted->folder);
	struct dt_fail fail = { 0 };

	if (ws) {
		reply_workspace(req, ws, false);
		return;
	}
	dt_fail(&fail, DT_E_MISSING,
	        "%s is not served: run `dovetail start` there", wanted->folder);
	dt_request_fail_with(req, &fail);
}

const struct dt_method dt_methods_daemon[] = {
	{ "status", DT_SHAPE_EMPTY, status },
	{ "ping", DT_SHAPE_EMPTY, ping },
	{ "stop", DT_SHAPE(struct stop_args, stop_fields), stop,
	  .persons = "stop or restart the daemon" },
	{ "reload", DT_SHAPE_EMPTY, reload,
	  .persons = "have the configuration read again" },
	{ "person", DT_SHAPE(struct person_args, person_fields), person },
	{ "workspace/open", DT_SHAPE(struct open_args, open_fields),
	  open_workspace },
	{ "workspace/find", DT_SHAPE(struct find_args, find_fields),
	  find_workspace },
	{ .name = NULL },
};
