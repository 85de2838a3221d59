/*
 * hub/control_mcp.c - a command's connection becomes an agent's.
 *
 * `dovetail mcp` stands between an MCP client that started it and us.  It asks
 * for a session here, and from the next byte on its connection is that session's
 * link.  The session outlives the connection for a while, so that a relay that
 * lost it takes up where it was.
 *
 * What is said then is the dialect's, "mcp".
 */
#include "hub/control.h"

#include "base/limits.h"
#include "hub/env.h"
#include "hub/record.h"
#include "hub/session.h"
#include "hub/whose.h"
#include "hub/workspace.h"
#include "loop/os.h"

#define DIALECT "mcp"

struct attach_args {
	const char *workspace;
	const char *folder;
	const char *session;
	int64_t client;
	bool is_brief;
	bool is_full;
	struct dt_names env;
};
static const struct dt_field attach_fields[] = {
	DT_FIELD(struct attach_args, workspace, PATH, 0, "This one."),
	DT_FIELD(struct attach_args, folder, PATH, 0, "Where it was started."),
	DT_FIELD(struct attach_args, session, NAME, 0, "To take up again."),
	DT_FIELD(struct attach_args, client, I64, 0, "The agent's pid."),
	DT_FIELD_AS("brief", struct attach_args, is_brief, BOOL, 0,
	            "The session ends with the connection."),
	DT_FIELD_AS("full", struct attach_args, is_full, BOOL, 0,
	            "Its list of tools has all of them."),
	DT_FIELD(struct attach_args, env, NAMES, 0, "\"NAME=value\" strings."),
	DT_FIELD_END,
};

struct detach_args {
	const char *session;
};
static const struct dt_field detach_fields[] = {
	DT_FIELD(struct detach_args, session, NAME, DT_REQ, "Its id."),
	DT_FIELD_END,
};

/* where */

static enum dt_err serve_last(struct dt_hub *hub, struct dt_arena *arena,
                              struct dt_workspace **out, struct dt_fail *fail)
{
	struct dt_place_record last;

	if (dt_place_last(arena, &hub->dirs, &last, NULL))
		return dt_fail(fail, DT_E_MISSING,
		               "which project is meant? start the client in "
		               "one, or give `dovetail mcp` --workspace DIR");
	return dt_hub_serve(hub, last.roots.ptr[0], true, 0, out, fail);
}

/* The workspace that was named, else the project the client was started in, else
 * the one used last: then the agent may know better. */
static enum dt_err find_workspace(struct dt_hub *hub, struct dt_arena *arena,
                                  const struct attach_args *args,
                                  struct dt_workspace **out, bool *out_guessed,
                                  struct dt_fail *fail)
{
	*out_guessed = false;
	if (args->workspace)
		return dt_hub_serve(hub, args->workspace, true, 0, out, fail);
	if (args->folder && dt_hub_is_project(hub, args->folder))
		return dt_hub_serve(hub, args->folder, false, 0, out, fail);
	*out_guessed = true;
	return serve_last(hub, arena, out, fail);
}

/* the session */

static void reply(struct dt_request *req, const char *id,
                  const struct dt_workspace *ws, bool is_resumed)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, "session");
	dt_json_put_z(out, id);
	dt_json_key(out, "workspace");
	dt_json_put_z(out, dt_workspace_root(ws));
	dt_json_key(out, "resumed");
	dt_json_put_bool(out, is_resumed);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* A session that can go on over another connection; or NULL. */
static struct dt_session *find_lasting(struct dt_hub *hub, const char *id)
{
	struct dt_session *s = NULL;

	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		if (id && !s)
			s = dt_session_find(ws, dt_str(id));
	}
	return s && s->lasting ? s : NULL;
}

/* Whoever is below it decides nothing about reviews.  Only one above the command
 * is believed: below init would be everybody. */
static pid_t agent_of(const struct dt_client *client,
                      const struct attach_args *args)
{
	pid_t named = args->client > 1 && args->client <= INT32_MAX
	                      ? (pid_t)args->client
	                      : 0;

	return named && dt_os_is_descendant(client->pid, named) ? named
	                                                        : client->pid;
}

/* What waits for this connection is an agent's from now on. */
static struct dt_link *take_over(struct dt_client *client)
{
	struct dt_budget *output = client->hub->output;
	struct dt_link *link = dt_control_release(client);

	dt_stream_set_budget(link->carrier->stream(link), output);
	return link;
}

static void begin(struct dt_client *client, struct dt_request *req,
                  const struct attach_args *args, struct dt_workspace *ws,
                  bool is_guessed)
{
	const struct dt_dialect *dialect = dt_dialect_find(DIALECT);
	pid_t pid = agent_of(client, args);
	bool is_brief = args->is_brief;
	bool is_full = args->is_full;
	/* `dovetail call`, by hand. */
	bool is_person =
		is_brief && !dt_session_is_agent(client->hub, client->pid);
	struct dt_session *s;
	struct dt_link *link;
	struct dt_names env = { 0 };
	char id[DT_ID_TEXT];

	/* A single call knows no more of who made it than its tree tells. */
	if (!is_brief)
		dt_whose_remember_caller(client->hub, client->pid, pid);
	dt_rand_id(id);
	if (is_person && args->env.count > 0)
		dt_workspace_set_env(ws, &args->env);
	else
		dt_env_set(&env, &args->env);
	reply(req, id, ws, false); /* the arguments end with it */
	link = take_over(client);
	s = is_brief ? dt_session_new(ws, dialect, link, id)
	             : dt_session_new_lasting(ws, dialect, link, id);
	dt_session_see(s, pid);
	s->is_person = is_person;
	s->env = env;
	dt_env_meet(ws, s);
	s->agent.wants_roots = is_guessed;
	s->agent.wants_all_tools = is_full;
}

static void attach(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct attach_args *wanted = args;
	struct dt_session *s = find_lasting(client->hub, wanted->session);
	struct dt_workspace *ws;
	struct dt_fail fail = { 0 };
	bool is_guessed;

	dt_recorder_leave(dt_peer_link(client->peer));
	if (s) {
		dt_whose_remember_caller(client->hub, client->pid,
		                         agent_of(client, wanted));
		reply(req, s->id, s->ws, true);
		dt_link_lasting_resume(s->lasting, take_over(client));
		return;
	}
	if (find_workspace(client->hub, &req->arena, wanted, &ws, &is_guessed,
	                   &fail) ||
	    dt_session_check_room(ws, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	begin(client, req, wanted, ws, is_guessed);
}

static void detach(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct detach_args *wanted = args;
	struct dt_session *s = find_lasting(client->hub, wanted->session);
	struct dt_json_out *out;

	if (s)
		dt_peer_close(s->agent.peer, DT_LINK_DONE, "");
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

const struct dt_method dt_methods_mcp[] = {
	{ "mcp.attach", DT_SHAPE(struct attach_args, attach_fields), attach },
	{ "mcp.detach", DT_SHAPE(struct detach_args, detach_fields), detach },
	{ .name = NULL },
};
