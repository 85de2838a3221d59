/*
 * hub/workspace.c - a folder is served: port, lock, door, documents.
 *
 * Whatever comes over TCP is a guest until the door has let it in; then it is a
 * session's link.  A guest is a stranger until it has shown the token: strangers
 * have little room, and never take that of others.  The lock is looked at more than once a second, because
 * agents delete what they take for stale.
 */
#include "hub/workspace.h"

#include "backend/headless.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "dialect/claude_lock.h"
#include "hub/activity.h"
#include "hub/aftermath.h"
#include "hub/checkpoint.h"
#include "hub/env.h"
#include "hub/events.h"
#include "hub/gate.h"
#include "hub/http_ops.h"
#include "hub/mcp_http.h"
#include "hub/session.h"
#include "hub/whose.h"
#include "link/http_conn.h"
#include "wire/handshake.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ANNOUNCE_MS 800 /* "within a second" */
#define PORT_TRIES 64

struct guest {
	struct dt_list link;
	struct dt_workspace *ws;
	struct dt_http_conn *conn;
	struct dt_mcp_visit *visit; /* of MCP over HTTP; or NULL */
	uint64_t came_ms;
	bool is_known;   /* it has shown the token */
	bool is_leaving; /* and is in no list any more */
	uint64_t socket; /* at the other end; 0: asked */
	pid_t pid;       /* that holds it; 0: not known */
};

/* publishing */

/* True when another workspace of ours lies around this one. */
static bool is_nested(const struct dt_workspace *ws)
{
	const char *root = dt_workspace_root(ws);

	dt_list_each(other, &ws->hub->workspaces, struct dt_workspace, link) {
		if (other != ws &&
		    dt_path_is_beneath(root, dt_workspace_root(other)))
			return true;
	}
	return false;
}

static struct dt_place place_of(const struct dt_workspace *ws)
{
	return (struct dt_place){
		.home = ws->hub->dirs.home,
		.name = dt_config_get(ws->config, "claude.ide_name"),
		.roots = ws->record.roots.ptr,
		.root_count = ws->record.roots.count,
		.port = ws->record.port,
		.token = ws->record.token,
		.pid = getpid(),
		.is_nested = is_nested(ws),
	};
}

void dt_workspace_announce(struct dt_workspace *ws)
{
	struct dt_place place = place_of(ws);

	for (size_t i = 0; i < dt_dialect_count; i++) {
		struct dt_fail fail = { 0 };

		if (!dt_dialects[i]->announce)
			continue;
		if (dt_dialects[i]->presence(&place) == DT_PRESENCE_FOREIGN)
			dt_log(DT_LOG_ERROR,
			       "%s cannot find us: another program's file is "
			       "at port %u",
			       dt_dialects[i]->name, place.port);
		else if (dt_dialects[i]->announce(&place, &fail))
			dt_log(DT_LOG_ERROR, "%s cannot find us: %s",
			       dt_dialects[i]->name, fail.msg);
	}
}

static void on_announcer(struct dt_timer *timer, void *owner)
{
	struct dt_workspace *ws = owner;
	struct dt_place place = place_of(ws);

	(void)timer;
	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (!dt_dialects[i]->announce ||
		    dt_dialects[i]->presence(&place) != DT_PRESENCE_NONE)
			continue;
		dt_log(DT_LOG_INFO, "the lock of %s vanished: written again",
		       dt_workspace_root(ws));
		dt_workspace_announce(ws);
		return;
	}
}

char *dt_workspace_lock(struct dt_workspace *ws, struct dt_arena *arena)
{
	struct dt_place place = place_of(ws);

	return dt_claude_lock_path(arena, &place);
}

/* guests */

static void refuse(struct dt_http_conn *conn, unsigned status, const char *why)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%s\n", why);

	dt_http_conn_reply(conn, status, "text/plain; charset=utf-8",
	                   (struct dt_str){ text, (size_t)len },
	                   status == 426   ? "Upgrade: websocket\r\n"
	                                     "Sec-WebSocket-Version: 13"
	                   : status == 429 ? "Retry-After: 1"
	                                   : NULL);
}

/* The agent's process, looked for once a connection, when it was let in. */
static void find_process(struct guest *guest)
{
	if (guest->socket)
		guest->pid = dt_whose_socket(guest->ws->hub, guest->socket);
	guest->socket = 0;
}

/* Whose agent may come in; NULL when the request was refused. */
static const struct dt_dialect *admit(struct guest *guest,
                                      const struct dt_http_head *head)
{
	const struct dt_dialect *dialect;
	struct dt_fail fail = { 0 };
	unsigned status;

	if (!dt_door_check(&guest->ws->door, head, &dialect, &status, &fail)) {
		find_process(guest);
		return dialect;
	}
	dt_log(DT_LOG_INFO, "refused with %u: %s", status, fail.msg);
	if (status == 429)
		guest->ws->metrics.hits[DT_HIT_TOKENS]++;
	refuse(guest->conn, status, fail.msg);
	return NULL;
}

/* A stranger that shows the token is none any more.  False: there are too many
 * like it, and it was told so. */
static bool know(struct guest *guest, const struct dt_http_head *head)
{
	struct dt_workspace *ws = guest->ws;

	if (guest->is_known || !dt_door_has_token(&ws->door, head))
		return true;
	if (ws->guest_count >= DT_LIMIT_CONNECTIONS) {
		ws->metrics.hits[DT_HIT_CONNECTIONS]++;
		dt_log(DT_LOG_WARN, "%u connections: one more refused",
		       DT_LIMIT_CONNECTIONS);
		refuse(guest->conn, 503, "too many connections are open");
		return false;
	}
	guest->is_known = true;
	ws->stranger_count--;
	ws->guest_count++;
	dt_list_remove(&guest->link);
	dt_list_append(&ws->guests, &guest->link);
	return true;
}

/* Nobody fills our memory who has not shown the token. */
static bool on_body(struct dt_http_conn *conn, const struct dt_http_head *head,
                    void *owner)
{
	struct guest *guest = owner;

	if (!know(guest, head))
		return false;
	if (dt_http_ops_serve(guest->ws, conn, head, true))
		return false;
	return admit(guest, head) != NULL;
}

/* The session of an agent that comes again; NULL: it is a new one. */
static struct dt_session *find_lasting(struct dt_workspace *ws,
                                       const struct dt_dialect *dialect,
                                       const struct dt_http_head *head)
{
	struct dt_str id = dt_http_get(head, "mcp-session-id");
	struct dt_session *s = id.ptr ? dt_session_find(ws, id) : NULL;

	return s && s->lasting && s->agent.dialect == dialect ? s : NULL;
}

/* `known` is the session that goes on, or NULL. */
static void upgrade(struct guest *guest, const struct dt_http_head *head,
                    const struct dt_dialect *dialect, struct dt_session *known)
{
	struct dt_workspace *ws = guest->ws;
	pid_t pid = guest->pid; /* the guest ends with the upgrade */
	const char *protocol =
		dt_http_has_token(head, "sec-websocket-protocol", "mcp") ? "mcp"
									 : NULL;
	char id[DT_ID_TEXT];
	char header[80];
	struct dt_session *session = NULL;
	struct dt_link *link;

	dt_rand_id(id);
	snprintf(header, sizeof(header), "Mcp-Session-Id: %s",
	         known ? known->id : id);
	link = dt_http_conn_upgrade(guest->conn, head, protocol,
	                            dialect->takes_workspace ? header : NULL);
	dt_link_ws_set_limit(
		link,
		DT_MIB * dt_config_number(ws->config, "limits.message_mib"));
	if (known)
		dt_link_lasting_resume(known->lasting, link);
	else if (dialect->takes_workspace)
		session = dt_session_new_lasting(ws, dialect, link, id);
	else
		session = dt_session_new(ws, dialect, link, id);
	if (session) {
		dt_session_see(session, pid);
		dt_env_meet(ws, session);
	}
}

static void on_request(struct dt_http_conn *conn,
                       const struct dt_http_head *head, struct dt_str body,
                       void *owner)
{
	struct guest *guest = owner;
	struct dt_workspace *ws = guest->ws;
	const struct dt_dialect *dialect;
	struct dt_session *known;
	struct dt_fail fail = { 0 };

	if (!know(guest, head) || dt_http_ops_serve(ws, conn, head, false))
		return;
	dialect = admit(guest, head);
	if (!dialect)
		return;
	known = find_lasting(ws, dialect, head);
	if (!dt_handshake_is_wanted(head)) {
		dt_mcp_http_set_peer(ws->mcp, guest->pid);
		dt_mcp_http_request(ws->mcp, &guest->visit, conn, head, body);
	} else if (!known && dt_session_check_room(ws, &fail)) {
		refuse(conn, 503, fail.msg);
	} else {
		upgrade(guest, head, dialect, known);
	}
}

static void on_end(struct dt_http_conn *conn, void *owner)
{
	struct guest *guest = owner;

	(void)conn;
	dt_mcp_visit_end(guest->visit);
	dt_list_remove(&guest->link);
	if (guest->is_known)
		guest->ws->guest_count--;
	else if (!guest->is_leaving)
		guest->ws->stranger_count--;
	free(guest);
}

static const struct dt_http_conn_events conn_events = {
	.on_request = on_request,
	.on_body = on_body,
	.on_end = on_end,
};

/* Where there are too many strangers the oldest goes, but not before it had the
 * time to show its token; unless they are very many. */
static void make_room(struct dt_workspace *ws)
{
	uint64_t now = dt_clock_ms();

	dt_list_each(guest, &ws->strangers, struct guest, link) {
		bool is_young = now - guest->came_ms < DT_LIMIT_STRANGER_MS;

		if (ws->stranger_count < DT_LIMIT_STRANGERS ||
		    (is_young && ws->stranger_count < DT_LIMIT_CONNECTIONS))
			return;
		ws->metrics.hits[DT_HIT_CONNECTIONS]++;
		dt_log(DT_LOG_INFO,
		       "a connection that showed no token makes room");
		dt_list_remove(&guest->link);
		ws->stranger_count--;
		guest->is_leaving = true;
		dt_http_conn_close(guest->conn);
	}
}

/* Before anything that it says is looked at.  Where the kernel does not tell,
 * the token alone decides; who has hung up already needs no answer. */
static bool is_our_user(struct dt_stream *stream, uint64_t *out_socket)
{
	struct dt_fail fail = { 0 };
	uid_t uid = geteuid();
	enum dt_err err = dt_stream_tcp_peer(stream, &uid, out_socket, &fail);

	if (!err && uid != geteuid()) {
		dt_log(DT_LOG_WARN, "a connection of user %u was refused",
		       (unsigned)uid);
		return false;
	}
	return err != DT_E_MISSING;
}

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	struct dt_workspace *ws = owner;
	struct guest *guest;
	uint64_t socket = 0;

	(void)listener;
	if (!is_our_user(stream, &socket)) {
		dt_stream_close(stream);
		return;
	}
	make_room(ws);
	dt_stream_set_budget(stream, ws->hub->output);
	guest = dt_alloc(sizeof(*guest));
	guest->ws = ws;
	guest->socket = socket;
	guest->came_ms = dt_clock_ms();
	dt_list_append(&ws->strangers, &guest->link);
	ws->stranger_count++;
	guest->conn = dt_http_conn_new(stream, &conn_events, guest);
}

/* the port */

/* A port somebody else published is not ours to use. */
static bool is_foreign(const struct dt_workspace *ws)
{
	struct dt_place place = place_of(ws);

	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (dt_dialects[i]->announce &&
		    dt_dialects[i]->presence(&place) == DT_PRESENCE_FOREIGN)
			return true;
	}
	return false;
}

static enum dt_err try_listen(struct dt_workspace *ws, struct dt_fail *fail)
{
	if (is_foreign(ws))
		return dt_fail(fail, DT_E_STATE,
		               "port %u is in another program's lock file",
		               ws->record.port);
	return dt_listen_tcp(ws->hub->loop, ws->record.port, on_accept, ws,
	                     &ws->listener, fail);
}

static enum dt_err listen_somewhere(struct dt_workspace *ws, bool is_new,
                                    struct dt_fail *fail)
{
	struct dt_fail last = { 0 };

	for (int i = 0; i < PORT_TRIES; i++) {
		enum dt_err err;

		last = (struct dt_fail){ 0 };
		err = try_listen(ws, &last);
		if (!err) {
			ws->is_moved = i > 0 && !is_new;
			return DT_E_OK;
		}
		if (err != DT_E_STATE)
			break;
		dt_place_move(&ws->arena, &ws->record);
	}
	return dt_fail(fail, last.code, "no port could be had: %s", last.msg);
}

static enum dt_err find_port(struct dt_workspace *ws, unsigned port,
                             struct dt_fail *fail)
{
	struct dt_place_record found = { 0 };
	const char *root = dt_workspace_root(ws);
	bool is_new = dt_place_find(&ws->arena, &ws->hub->dirs, root, &found,
	                            NULL) != DT_E_OK;
	struct dt_fail unsaved = { 0 };
	enum dt_err err;

	if (!is_new)
		ws->record = found;
	if (port)
		ws->record.port = port;
	err = port ? try_listen(ws, fail) : listen_somewhere(ws, is_new, fail);
	if (err)
		return err;
	/* Agents are served all the same when nothing can be kept. */
	if (dt_place_save(&ws->hub->dirs, &ws->record, &unsaved))
		dt_log(DT_LOG_ERROR, "port and token are not kept: %s",
		       unsaved.msg);
	return DT_E_OK;
}

/* life */

void dt_workspace_configure(struct dt_workspace *ws)
{
	struct dt_arena arena = { 0 };

	dt_config_free(ws->config);
	ws->config = dt_config_new();
	dt_config_read(ws->config, ws->hub->dirs.conf, false);
	dt_config_read(
		ws->config,
		dt_path_join(&arena, dt_workspace_root(ws), ".dovetail.conf"),
		true);
	dt_arena_done(&arena);
}

static enum dt_err check_same_port(struct dt_workspace *ws, unsigned port,
                                   struct dt_fail *fail)
{
	if (port && port != ws->record.port)
		return dt_fail(fail, DT_E_STATE,
		               "%s is served on port %u already: stop it first",
		               dt_workspace_root(ws), ws->record.port);
	return DT_E_OK;
}

/* the editor */

static char **world_env(void *owner, const char *asker, struct dt_arena *arena)
{
	return dt_env_list(owner, asker, arena);
}

static const char *world_find(void *owner, const char *asker,
                              struct dt_arena *arena, const char *program)
{
	return dt_env_find(owner, asker, arena, program);
}

static void world_ran(void *owner, const char *asker, const char *file)
{
	dt_activity_add_program(owner, asker, file);
}

static const char *world_setting(void *owner, const char *key)
{
	return dt_config_get(((struct dt_workspace *)owner)->config, key);
}

static enum dt_err guard(void *owner, const char *path, struct dt_fail *fail)
{
	return dt_gate_check_path(owner, path, fail);
}

static bool world_may_leave(void *owner, const char *path)
{
	return dt_gate_check_path(owner, path, NULL) == DT_E_OK;
}

static bool world_is_listened(void *owner)
{
	struct dt_workspace *ws = owner;

	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (s->agent.listens)
			return true;
	}
	return false;
}

static struct dt_editor *make_editor(struct dt_workspace *ws)
{
	struct dt_world world = {
		.loop = ws->hub->loop,
		.docs = &ws->docs,
		.owner = ws,
		.env = world_env,
		.find = world_find,
		.on_run = world_ran,
		.setting = world_setting,
		.may_leave = world_may_leave,
		.is_kept_name = dt_gate_is_built_in,
		.is_listened = world_is_listened,
		.run_folder = ws->hub->dirs.run,
	};

	return dt_headless_new(&world);
}

enum dt_err dt_workspace_open(struct dt_hub *hub, const char *root,
                              unsigned port, struct dt_workspace **out,
                              struct dt_fail *fail)
{
	struct dt_workspace *ws = dt_workspace_by_root(hub, root);
	enum dt_err err;

	if (port > UINT16_MAX)
		return dt_fail(fail, DT_E_ARGS,
		               "%u is no port: the last is 65535", port);
	if (ws) {
		*out = ws;
		return check_same_port(ws, port, fail);
	}
	ws = dt_alloc(sizeof(*ws));
	ws->hub = hub;
	dt_list_init(&ws->link);
	dt_list_init(&ws->guests);
	dt_list_init(&ws->strangers);
	dt_list_init(&ws->sessions);
	dt_list_init(&ws->mentions);
	dt_list_init(&ws->subscribers);
	dt_place_make(&ws->arena, root, &ws->record);
	dt_workspace_configure(ws);
	err = find_port(ws, port, fail);
	if (err) {
		dt_config_free(ws->config);
		dt_arena_done(&ws->arena);
		free(ws);
		return err;
	}
	ws->door.port = ws->record.port;
	ws->door.token = ws->record.token;
	dt_documents_init(&ws->docs, ws->record.roots.ptr,
	                  ws->record.roots.count);
	ws->docs.trash = ws->hub->dirs.trash;
	ws->docs.guard = guard;
	ws->docs.guard_owner = ws;
	ws->editor = make_editor(ws);
	ws->mcp = dt_mcp_http_new(ws, dt_dialect_find("mcp"));
	dt_events_init(ws);
	dt_checkpoint_begin(ws);
	dt_list_append(&hub->workspaces, &ws->link);
	ws->announcer = dt_timer_new(hub->loop, on_announcer, ws);
	dt_timer_repeat(ws->announcer, ANNOUNCE_MS);
	/* A workspace around or inside another changes what that one says. */
	dt_list_each(each, &hub->workspaces, struct dt_workspace, link)
		dt_workspace_announce(each);
	dt_log(DT_LOG_INFO, "serving %s on port %u", root, ws->record.port);
	dt_activity_add_workspace(ws, "served", root);
	dt_aftermath_resume(hub, ws->record.id);
	*out = ws;
	return DT_E_OK;
}

void dt_workspace_stop(struct dt_workspace *ws)
{
	struct dt_place place = place_of(ws);

	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (dt_dialects[i]->announce)
			dt_dialects[i]->withdraw(&place);
	}
	dt_checkpoint_end(ws);
	if (ws->editor->backend->stop)
		ws->editor->backend->stop(ws->editor);
	dt_timer_free(ws->announcer);
	ws->announcer = NULL;
	dt_listener_close(ws->listener);
	ws->listener = NULL;
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		if (s->agent.dialect->on_stop)
			s->agent.dialect->on_stop(&s->agent);
	}
	dt_list_each(guest, &ws->guests, struct guest, link)
		dt_http_conn_close(guest->conn);
	dt_list_each(guest, &ws->strangers, struct guest, link)
		dt_http_conn_close(guest->conn);
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		/* After a restart they are orphans, and still to be seen. */
		if (!ws->hub->is_restarting)
			dt_inbox_withdraw(
				&ws->hub->inbox, s->id, NULL,
				"Dovetail stopped before a decision.");
		dt_peer_close(s->agent.peer, DT_LINK_AWAY, "dovetail stops");
	}
}

void dt_workspace_free(struct dt_workspace *ws)
{
	dt_events_done(ws);
	dt_checkpoint_free(ws);
	dt_metrics_done(&ws->metrics);
	dt_mcp_http_free(ws->mcp);
	dt_list_remove(&ws->link);
	ws->editor->backend->free(ws->editor);
	dt_documents_done(&ws->docs);
	dt_env_done(&ws->env);
	dt_env_done(&ws->common);
	dt_config_free(ws->config);
	dt_arena_done(&ws->arena);
	free(ws);
}

void dt_workspace_set_env(struct dt_workspace *ws, const struct dt_names *env)
{
	dt_env_set(&ws->env, env);
}

size_t dt_workspace_waiting(const struct dt_workspace *ws)
{
	size_t count = 0;

	dt_list_each(r, &ws->hub->inbox.list, struct dt_review, link) {
		if (r->state == DT_REVIEW_WAITING &&
		    !strcmp(r->workspace, ws->record.id))
			count++;
	}
	return count;
}

/* finding */

struct dt_workspace *dt_workspace_of(struct dt_hub *hub, const char *path)
{
	struct dt_workspace *best = NULL;

	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		const char *root = dt_workspace_root(ws);

		if (dt_path_is_beneath(path, root) &&
		    (!best || strlen(root) > strlen(dt_workspace_root(best))))
			best = ws;
	}
	return best;
}

struct dt_workspace *dt_workspace_by_root(struct dt_hub *hub, const char *root)
{
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		if (!strcmp(dt_workspace_root(ws), root))
			return ws;
	}
	return NULL;
}

struct dt_workspace *dt_workspace_by_id(struct dt_hub *hub, const char *id)
{
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		if (!strcmp(ws->record.id, id))
			return ws;
	}
	return NULL;
}
